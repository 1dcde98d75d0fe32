// A quarter of a round bar, 32.4 mm long, radius 3.2 mm: the body of cases/taylor-bar-3d.ron. scripts/make-meshes turns this into quarter-bar.msh.
//
//   y
//   |---.__            section: a square core of 2 x 2 cells, 2 rings round it, 12 cells in all
//   |  2   `.
//   |---.  2 `.        24 layers of hexahedra along z; the foot is z = 0
//   | 1  \     \
//   +-----+-----+ x    groups: foot (z = 0), head, bottom (y = 0), left (x = 0), skin
SetFactory("Built-in");
radius = 0.0032;
length = 0.0324;
If (!Exists(cells))
  cells = 2;    // on a side of the core
  rings = 2;
  layers = 24;
EndIf
core = 0.5 * radius;      // side of the core
bulge = 0.42 * radius;    // coordinates of its corner

Point(1) = {0, 0, 0};
Point(2) = {core, 0, 0};
Point(3) = {bulge, bulge, 0};
Point(4) = {0, core, 0};
Point(5) = {radius, 0, 0};
Point(6) = {radius * Sqrt(0.5), radius * Sqrt(0.5), 0};
Point(7) = {0, radius, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Line(5) = {2, 5};
Line(6) = {3, 6};
Line(7) = {4, 7};
Circle(8) = {5, 1, 6};
Circle(9) = {6, 1, 7};
Transfinite Curve {1:4, 8, 9} = cells + 1;
Transfinite Curve {5:7} = rings + 1;
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 8, -6, -2};
Curve Loop(3) = {6, 9, -7, -3};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};
Transfinite Surface {1:3};
Recombine Surface {1:3};

core_[] = Extrude {0, 0, length} { Surface{1}; Layers{layers}; Recombine; };
right_[] = Extrude {0, 0, length} { Surface{2}; Layers{layers}; Recombine; };
left_[] = Extrude {0, 0, length} { Surface{3}; Layers{layers}; Recombine; };

Physical Surface("foot", 10) = {1, 2, 3};
Physical Surface("head", 11) = {core_[0], right_[0], left_[0]};
Physical Surface("bottom", 12) = {core_[2], right_[2]};
Physical Surface("left", 13) = {core_[5], left_[4]};
Physical Surface("skin", 14) = {right_[3], left_[3]};
Physical Volume("bar", 1) = {core_[1], right_[1], left_[1]};
