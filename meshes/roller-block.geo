// The block under the roller of cases/roller.ron: 200 mm wide, 200 mm high, fine below the contact. scripts/make-meshes turns this into roller-block.msh.
//
//   --+----seat----+--
//     |            |        seat: |x| < 9.5 mm, cells of 0.5 mm; they grow towards the sides and the bottom
//   --+------------+--
//
SetFactory("Built-in");
half = 0.0095;
depth = 0.0095;
side = 0.1;
height = 0.2;
cells = 38;
layers = 12;
beside = 16;
below = 18;
squeeze = 1.22;

Point(1) = {-side, 0, 0};
Point(2) = {-half, 0, 0};
Point(3) = {half, 0, 0};
Point(4) = {side, 0, 0};
Point(5) = {-side, -depth, 0};
Point(6) = {-half, -depth, 0};
Point(7) = {half, -depth, 0};
Point(8) = {side, -depth, 0};
Point(9) = {-side, -height, 0};
Point(10) = {-half, -height, 0};
Point(11) = {half, -height, 0};
Point(12) = {side, -height, 0};
For row In {0:2}
  Line(1 + 10 * row) = {2 + 4 * row, 1 + 4 * row};
  Line(2 + 10 * row) = {2 + 4 * row, 3 + 4 * row};
  Line(3 + 10 * row) = {3 + 4 * row, 4 + 4 * row};
  Transfinite Curve {1 + 10 * row, 3 + 10 * row} = beside + 1 Using Progression squeeze;
  Transfinite Curve {2 + 10 * row} = cells + 1;
EndFor
For column In {1:4}
  Line(40 + column) = {column, 4 + column};
  Line(50 + column) = {4 + column, 8 + column};
  Transfinite Curve {40 + column} = layers + 1;
  Transfinite Curve {50 + column} = below + 1 Using Progression squeeze;
EndFor
Curve Loop(1) = {41, -11, -42, 1};
Curve Loop(2) = {42, 12, -43, -2};
Curve Loop(3) = {43, 13, -44, -3};
Curve Loop(4) = {51, -21, -52, 11};
Curve Loop(5) = {52, 22, -53, -12};
Curve Loop(6) = {53, 23, -54, -13};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};
Plane Surface(4) = {4};
Plane Surface(5) = {5};
Plane Surface(6) = {6};
Transfinite Surface {1:6};
Recombine Surface {1:6};
Physical Curve("seat", 10) = {2};
Physical Curve("bottom", 11) = {21, 22, 23};
Physical Surface("block", 1) = {1:6};
