// Two layers 20 km long and 5 km thick each, of triangles, in metres: the body of cases/geologic-layers.ron.
// scripts/make-meshes turns this into layers.msh.
SetFactory("Built-in");
length = 20000;
depth = 10000;
middle = 5000;                // depth of the boundary between the layers
cell = 1000;
Point(1) = {0, -depth, 0, cell};
Point(2) = {length, -depth, 0, cell};
Point(3) = {length, -middle, 0, cell};
Point(4) = {length, 0, 0, cell};
Point(5) = {0, 0, 0, cell};
Point(6) = {0, -middle, 0, cell};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Line(7) = {6, 3};
Curve Loop(1) = {1, 2, -7, 6};
Curve Loop(2) = {7, 3, 4, 5};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Mesh.Algorithm = 6;

// The names a case refers to.
Physical Curve("bottom", 10) = {1};
Physical Curve("right", 11) = {2, 3};
Physical Curve("surface", 12) = {4};
Physical Curve("left", 13) = {5, 6};
Physical Surface("lower", 1) = {1};
Physical Surface("upper", 2) = {2};
