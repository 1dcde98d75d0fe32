// A disc of radius 1 about the origin, 613 nodes and 576 quadrilaterals: the body of cases/cylinder-impact.ron.
// scripts/make-meshes turns this into cylinder.msh.
//
// A core of 12 x 24 cells with bulging sides, and four layers from it to the circle, whose 72 edges span 5 degrees each.
// The disc is built as two mirrored halves, every curve running the same way from the axis x = 0, so that the nodes of one
// half are the mirror images of those of the other.
SetFactory("Built-in");
radius = 1;
core = 0.7787;               // distance of the core's corners from the centre
bulge = 0.4;                 // 0: straight sides of the core, 1: the circle through its corners
across = 6;                  // cells of half the core across
along = 24;                  // cells of the core along the axis
layers = 4;
angle = Pi/6;                // corners of the core, from the axis: 6 edges of 5 degrees

// Corners of the core, and the middle of its sides (sagitta: bulge times that of the circle).
cx = core*Sin(angle);
cy = core*Cos(angle);
by = cy + bulge*(core - cy);
rx = cx + bulge*(core - cx);
// Radii of the arcs through a corner, the middle of the side and the other corner: (a^2 + s^2)/(2 s).
rb = (cx*cx + (by - cy)*(by - cy))/(2*(by - cy));
rr = (cy*cy + (rx - cx)*(rx - cx))/(2*(rx - cx));

// On the axis, from bottom to top.
Point(1) = {0, -radius, 0};
Point(2) = {0, -by, 0};
Point(3) = {0, by, 0};
Point(4) = {0, radius, 0};
Point(5) = {0, 0, 0};                // centre of the circle
Point(6) = {0, -by + rb, 0};         // centre of the core's lower side
Point(7) = {0, by - rb, 0};          // and of its upper side
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Transfinite Curve {1, 3} = layers + 1;
Transfinite Curve {2} = along + 1;

For half In {0:1}
  s = 1 - 2*half;                    // 1: right, -1: left
  p = 10 + 10*half;
  Point(p) = {s*radius*Sin(angle), -radius*Cos(angle), 0};
  Point(p + 1) = {s*cx, -cy, 0};
  Point(p + 2) = {s*cx, cy, 0};
  Point(p + 3) = {s*radius*Sin(angle), radius*Cos(angle), 0};
  Point(p + 4) = {s*(rx - rr), 0, 0};  // centre of the core's side
  Circle(p) = {1, 5, p};
  Circle(p + 1) = {p, 5, p + 3};
  Circle(p + 2) = {4, 5, p + 3};
  Circle(p + 3) = {2, 6, p + 1};
  Circle(p + 4) = {p + 1, p + 4, p + 2};
  Circle(p + 5) = {3, 7, p + 2};
  Line(p + 6) = {p, p + 1};
  Line(p + 7) = {p + 3, p + 2};
  Transfinite Curve {p, p + 2, p + 3, p + 5} = across + 1;
  Transfinite Curve {p + 1, p + 4} = along + 1;
  Transfinite Curve {p + 6, p + 7} = layers + 1;
  // Counter-clockwise on the right; on the left the same loops, reversed by their sign.
  Curve Loop(p) = {s*(p + 3), s*(p + 4), -s*(p + 5), -s*2};
  Curve Loop(p + 1) = {s*p, s*(p + 6), -s*(p + 3), -s*1};
  Curve Loop(p + 2) = {s*(p + 1), s*(p + 7), -s*(p + 4), -s*(p + 6)};
  Curve Loop(p + 3) = {s*(p + 5), -s*(p + 7), -s*(p + 2), -s*3};
  For k In {0:3}
    Plane Surface(p + k) = {p + k};
    Transfinite Surface {p + k};
    Recombine Surface {p + k};
  EndFor
EndFor

// The names a case refers to.
Physical Point("bottom", 20) = {1};
Physical Point("top", 21) = {4};
Physical Curve("circle", 10) = {10, 11, 12, 20, 21, 22};
Physical Surface("disk", 1) = {10:13, 20:23};
