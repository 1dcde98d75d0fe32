// Half a cell of a composite, a fibre of 15 um along z in a block of matrix of 20 x 20 x 60 um: the body of
// cases/fibre-matrix.ron. scripts/make-meshes turns this into fibre-cell.msh, in metres.
//
// Hexahedra, by extrusion of quadrilaterals: a core with bulging sides and rings in the fibre, rings from the circle to the square in
// the matrix. Opposite sides match. fibre-cell-coarse.geo sets other numbers first.
If (!Exists(quarter))
  quarter = 4;               // cells along a quarter of the circle, and along a side of the square
  rings = 2;                 // rings of the fibre about its core
  shells = 3;                // rings of the matrix
  layers = 20;               // along z
EndIf
SetFactory("Built-in");
Mesh.ScalingFactor = 1e-6;   // everything here is in micrometres
radius = 7.5;
side = 20;
length = 60;
core = 4.5;                  // distance of the core's corners from the axis
bulge = 0.5;                 // 0: straight sides of the core, 1: the circle through its corners

c = core*Cos(Pi/4);
r = radius*Cos(Pi/4);
s = side/2;
// Middle of the core's sides, and the radius of the arc through it and two corners: (c^2 + h^2)/(2 h).
h = bulge*(core - c);
arc = (c*c + h*h)/(2*h);

Point(1) = {0, 0, 0};
// Corners of the core, ends of the quarters of the circle and corners of the square, from the lower left counter-clockwise.
For k In {0:3}
  x = Cos(5*Pi/4 + k*Pi/2)/Cos(Pi/4);
  y = Sin(5*Pi/4 + k*Pi/2)/Cos(Pi/4);
  Point(10 + k) = {c*x, c*y, 0};
  Point(20 + k) = {r*x, r*y, 0};
  Point(30 + k) = {s*x, s*y, 0};
  // Centre of the arc between corners k and k + 1, across the axis from it.
  Point(40 + k) = {-(c + h - arc)*Cos(Pi/2 + k*Pi/2), -(c + h - arc)*Sin(Pi/2 + k*Pi/2), 0};
EndFor
For k In {0:3}
  n = (k + 1) % 4;
  Circle(10 + k) = {10 + k, 40 + k, 10 + n};
  Circle(20 + k) = {20 + k, 1, 20 + n};
  Line(30 + k) = {30 + k, 30 + n};
  Line(40 + k) = {10 + k, 20 + k};
  Line(50 + k) = {20 + k, 30 + k};
  Transfinite Curve {10 + k, 20 + k, 30 + k} = quarter + 1;
  Transfinite Curve {40 + k} = rings + 1;
  Transfinite Curve {50 + k} = shells + 1;
EndFor
Curve Loop(1) = {10, 11, 12, 13};
Plane Surface(1) = {1};
For k In {0:3}
  n = (k + 1) % 4;
  Curve Loop(20 + k) = {40 + k, 20 + k, -(40 + n), -(10 + k)};
  Plane Surface(20 + k) = {20 + k};
  Curve Loop(30 + k) = {50 + k, 30 + k, -(50 + n), -(20 + k)};
  Plane Surface(30 + k) = {30 + k};
EndFor
Transfinite Surface {1, 20:23, 30:33};
Recombine Surface {1, 20:23, 30:33};

// Of each extrusion: [0] the end, [1] the volume, [2] and on the sides, in the order of the loop.
fibre[] = {};
matrix[] = {};
top[] = {};
sides[] = {};
e[] = Extrude {0, 0, length} { Surface{1}; Layers{layers}; Recombine; };
fibre[] += e[1];
top[] += e[0];
For k In {0:3}
  e[] = Extrude {0, 0, length} { Surface{20 + k}; Layers{layers}; Recombine; };
  fibre[] += e[1];
  top[] += e[0];
EndFor
For k In {0:3}
  e[] = Extrude {0, 0, length} { Surface{30 + k}; Layers{layers}; Recombine; };
  matrix[] += e[1];
  top[] += e[0];
  sides[] += e[3];
EndFor

// The names a case refers to.
Physical Volume("fibre", 1) = {fibre[]};
Physical Volume("matrix", 2) = {matrix[]};
Physical Surface("bottom-fibre", 10) = {1, 20:23};
Physical Surface("bottom-matrix", 11) = {30:33};
Physical Surface("top", 12) = {top[]};
Physical Surface("front", 13) = {sides[0]};   // least y
Physical Surface("right", 14) = {sides[1]};
Physical Surface("back", 15) = {sides[2]};
Physical Surface("left", 16) = {sides[3]};
