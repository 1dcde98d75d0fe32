// A half disc of radius 50 mm, flat side up, graded towards its lowest point: the body of cases/hertz-cylinder.ron and
// cases/cattaneo-mindlin.ron. scripts/make-meshes turns this into half-disc.msh.
//
//   top_left    top_right
//   +----+-----|-----+----+      the lowest point is the origin; all cells are quadrilaterals, symmetric about x = 0
//    \    \    |    /    /
//     \    +---|---+    /        core: 30 x 10 cells, 0.25 mm along the arc
//       `. |   |   | .'          rings: 24 layers that grow towards the flat side
//  flank   `-------'   flank
//            sole                sole: the arc |s| < 3.75 mm, where it may touch
SetFactory("Built-in");
radius = 0.05;
If (!Exists(half))
  half = 0.00375;  // half length of the sole along the arc
  depth = 0.00375; // height of the core
EndIf
If (!Exists(cells))
  cells = 15;    // along half the sole
  layers = 10;   // through the core
  rings = 24;
  squeeze = 1.13; // growth of the rings
EndIf
angle = half / radius;
join = 0.02;     // where the rings' middle part ends on the flat side

Point(1) = {0, radius, 0};
Point(2) = {0, 0, 0};
Point(3) = {radius * Sin(angle), radius * (1 - Cos(angle)), 0};
Point(4) = {0, depth, 0};
Point(5) = {radius * Sin(angle), depth + 0.5 * radius * (1 - Cos(angle)), 0};
Point(6) = {radius, radius, 0};
Point(7) = {join, radius, 0};
Point(8) = {-radius * Sin(angle), radius * (1 - Cos(angle)), 0};
Point(9) = {-radius * Sin(angle), depth + 0.5 * radius * (1 - Cos(angle)), 0};
Point(10) = {-radius, radius, 0};
Point(11) = {-join, radius, 0};

// Right half.
Circle(1) = {2, 1, 3};
Line(2) = {3, 5};
Line(3) = {4, 5};
Line(4) = {2, 4};
Circle(5) = {3, 1, 6};
Line(6) = {7, 6};
Line(7) = {5, 7};
Line(8) = {4, 1};
Line(9) = {1, 7};
// Left half, its mirror image.
Circle(11) = {2, 1, 8};
Line(12) = {8, 9};
Line(13) = {4, 9};
Circle(15) = {8, 1, 10};
Line(16) = {11, 10};
Line(17) = {9, 11};
Line(19) = {1, 11};

Transfinite Curve {1, 3, 9, 11, 13, 19} = cells + 1;
Transfinite Curve {2, 4, 6, 12, 16} = layers + 1;
Transfinite Curve {5, 7, 8, 15, 17} = rings + 1 Using Progression squeeze;

Curve Loop(1) = {1, 2, -3, -4};
Curve Loop(2) = {5, -6, -7, -2};
Curve Loop(3) = {3, 7, -9, -8};
Curve Loop(4) = {4, 13, -12, -11};
Curve Loop(5) = {12, 17, 16, -15};
Curve Loop(6) = {8, 19, -17, -13};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};
Plane Surface(4) = {4};
Plane Surface(5) = {5};
Plane Surface(6) = {6};
Transfinite Surface {1:6};
Recombine Surface {1:6};

// The names a case refers to.
Physical Point("tip", 1) = {2};
Physical Point("centre", 2) = {1};
Physical Curve("sole", 10) = {1, 11};
Physical Curve("flank", 11) = {5, 15};
Physical Curve("top_right", 12) = {6, 9};
Physical Curve("top_left", 13) = {16, 19};
Physical Curve("axis", 14) = {4, 8};
Physical Surface("half disc", 1) = {1:6};
