// A block 0.12 m x 0.08 m with a round hole, of triangles: the upper body of cases/blocks-gmsh.ron.
// scripts/make-meshes turns this into block-with-hole.msh.
SetFactory("Built-in");
width = 0.12;
height = 0.08;
radius = 0.02;
size = 0.01;       // edges of the triangles at the outline
fine = 0.006;      // and at the hole
Point(1) = {0, 0, 0, size};
Point(2) = {width, 0, 0, size};
Point(3) = {width, height, 0, size};
Point(4) = {0, height, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Point(5) = {width/2, height/2, 0, fine};
Point(6) = {width/2 + radius, height/2, 0, fine};
Point(7) = {width/2, height/2 + radius, 0, fine};
Point(8) = {width/2 - radius, height/2, 0, fine};
Point(9) = {width/2, height/2 - radius, 0, fine};
Circle(5) = {6, 5, 7};
Circle(6) = {7, 5, 8};
Circle(7) = {8, 5, 9};
Circle(8) = {9, 5, 6};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, 8};
Plane Surface(1) = {1, 2};

// The names a case refers to.
Physical Curve("bottom", 10) = {1};
Physical Curve("top", 11) = {3};
Physical Curve("hole", 12) = {5, 6, 7, 8};
Physical Surface("block", 1) = {1};
