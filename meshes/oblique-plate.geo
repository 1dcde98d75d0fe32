// A plate 0.04 m wide and 0.08 m high whose lower side is an arc of radius 0.101 m (sagitta 2 mm), 99 nodes and 80
// quadrilaterals: the body of cases/oblique-impact.ron. The lowest node is the origin.
// scripts/make-meshes turns this into oblique-plate.msh.
SetFactory("Built-in");
width = 0.04;
height = 0.08;
radius = 0.101;
across = 8;            // cells, an even number
up = 10;
half = width/2;
sagitta = radius - Sqrt(radius*radius - half*half);
Point(1) = {-half, sagitta, 0};
Point(2) = {0, 0, 0};
Point(3) = {half, sagitta, 0};
Point(4) = {half, height, 0};
Point(5) = {0, height, 0};
Point(6) = {-half, height, 0};
Point(7) = {0, radius, 0};   // centre of the arc
// Curves of the two halves run the same way from the axis: gmsh then places mirrored nodes.
Circle(1) = {2, 7, 1};
Circle(2) = {2, 7, 3};
Line(3) = {3, 4};
Line(4) = {5, 4};
Line(5) = {5, 6};
Line(6) = {1, 6};
Curve Loop(1) = {-1, 2, 3, -4, 5, -6};
Plane Surface(1) = {1};
Transfinite Curve {1, 2, 4, 5} = across/2 + 1;
Transfinite Curve {3, 6} = up + 1;
Transfinite Surface {1} = {1, 3, 4, 6};
Recombine Surface {1};

// The names a case refers to.
Physical Point("lowest", 20) = {2};
Physical Curve("round", 10) = {1, 2};
Physical Curve("sides", 11) = {3, 6};
Physical Curve("top", 12) = {4, 5};
Physical Surface("plate", 1) = {1};
