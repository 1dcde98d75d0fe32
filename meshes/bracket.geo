// An L of two legs 0.12 m long and 0.04 m thick, of quadrilaterals of 0.01 m: the falling body of cases/bracket-on-anvil.ron.
// scripts/make-meshes turns this into bracket.msh. The file that comes with it has the same cells, numbered row by row, in MSH 2.2.
SetFactory("Built-in");
long = 0.12;
thick = 0.04;
Point(1) = {0, 0, 0};
Point(2) = {thick, 0, 0};
Point(3) = {long, 0, 0};
Point(4) = {long, thick, 0};
Point(5) = {thick, thick, 0};
Point(6) = {thick, long, 0};
Point(7) = {0, long, 0};
Point(8) = {0, thick, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 7};
Line(7) = {7, 8};
Line(8) = {8, 1};
Line(9) = {2, 5};
Line(10) = {8, 5};
Curve Loop(1) = {1, 9, -10, 8};
Plane Surface(1) = {1};
Curve Loop(2) = {2, 3, 4, -9};
Plane Surface(2) = {2};
Curve Loop(3) = {10, 5, 6, 7};
Plane Surface(3) = {3};
Transfinite Curve {1, 3, 6, 8, 9, 10} = 5;
Transfinite Curve {2, 4, 5, 7} = 9;
Transfinite Surface {1, 2, 3};
Recombine Surface {1, 2, 3};

// The names a case refers to.
Physical Curve("skin", 10) = {1, 2, 3, 4, 5, 6, 7, 8};
Physical Surface("bracket", 1) = {1, 2, 3};
