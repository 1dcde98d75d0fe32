// A block 0.2 m x 0.1 m, its left half of quadratic quadrilaterals (Q8), its right half of quadratic triangles (T6): the blocks of the suite's weighed blocks.
// scripts/make-meshes turns this into quadratic-block.msh.
SetFactory("Built-in");
half = 0.1;
height = 0.1;
Point(1) = {0, 0, 0};
Point(2) = {half, 0, 0};
Point(3) = {2 * half, 0, 0};
Point(4) = {2 * half, height, 0};
Point(5) = {half, height, 0};
Point(6) = {0, height, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Line(7) = {2, 5};
Curve Loop(1) = {1, 7, 5, 6};
Curve Loop(2) = {2, 3, 4, -7};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Transfinite Curve {1, 2, 3, 4, 5, 6, 7} = 3;
Transfinite Surface {1};
Transfinite Surface {2};
Recombine Surface {1};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;

// The names a case refers to.
Physical Curve("base", 10) = {1, 2};
Physical Curve("left", 11) = {6};
Physical Curve("top", 12) = {4, 5};
Physical Surface("block", 1) = {1, 2};
