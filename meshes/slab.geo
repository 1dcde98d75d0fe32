// A slab 0.4 m x 0.1 m of quadrilaterals: the lower body of cases/blocks-gmsh.ron.
// scripts/make-meshes turns this into slab.msh.
SetFactory("Built-in");
width = 0.4;
height = 0.1;
Point(1) = {0, 0, 0};
Point(2) = {width, 0, 0};
Point(3) = {width, height, 0};
Point(4) = {0, height, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 33;
Transfinite Curve {2, 4} = 9;
Transfinite Surface {1};
Recombine Surface {1};

// The names a case refers to.
Physical Curve("base", 10) = {1};
Physical Curve("top", 11) = {3};
Physical Curve("sides", 12) = {2, 4};
Physical Surface("slab", 1) = {1};
