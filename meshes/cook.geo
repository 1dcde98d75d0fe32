// Cook's membrane, 16 x 16 quadrilaterals: the body of cases/cook.ron.
// scripts/make-meshes turns this into cook.msh.
SetFactory("Built-in");
cells = 16;
Point(1) = {0, 0, 0};
Point(2) = {48, 44, 0};
Point(3) = {48, 60, 0};
Point(4) = {0, 44, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 2, 3, 4} = cells + 1;
Transfinite Surface {1};
Recombine Surface {1};

Physical Point("tip", 20) = {3};
Physical Curve("clamped", 10) = {4};
Physical Curve("loaded", 11) = {2};
Physical Surface("membrane", 1) = {1};
