// The hanging wall of cases/geologic-fault.ron: what lies above the fault, of triangles, in metres.
// scripts/make-meshes turns this into fault-hanging-wall.msh.
//
//   (0, 0) ----------- (10 km, 0)     the surface is y = 0
//     |        upper     /
//     |-----------------+  -5 km
//     |        lower   /              the fault dips by 56.3 degrees: 24 edges of 501 m
//   (0, -10 km) ------+
SetFactory("Built-in");
depth = 10000;
middle = 5000;                // depth of the boundary between the layers
surface = 10000;              // where the fault meets the surface
dip = 56.3*Pi/180;
half = 12;                    // edges of the fault in each layer
edges = 20;                   // edges of the sides and of the other outlines: 500 m
cell = 515;

foot = surface - depth/Tan(dip);
bend = surface - middle/Tan(dip);
Point(1) = {0, -depth, 0, cell};
Point(2) = {foot, -depth, 0, cell};
Point(3) = {bend, -middle, 0, cell};
Point(4) = {surface, 0, 0, cell};
Point(5) = {0, 0, 0, cell};
Point(6) = {0, -middle, 0, cell};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Line(7) = {6, 3};
Transfinite Curve {2, 3} = half + 1;
Transfinite Curve {5, 6} = edges/2 + 1;
Curve Loop(1) = {1, 2, -7, 6};
Curve Loop(2) = {7, 3, 4, 5};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Mesh.Algorithm = 6;

// The names a case refers to.
Physical Curve("bottom", 10) = {1};
Physical Curve("fault", 11) = {2, 3};
Physical Curve("surface", 12) = {4};
Physical Curve("side", 13) = {5, 6};
Physical Surface("lower", 1) = {1};
Physical Surface("upper", 2) = {2};
