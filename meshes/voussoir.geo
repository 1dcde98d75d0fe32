// A block of the arches of cases/masonry-arch.ron: one of 27 of a semicircle of mean radius 1 m, the first on the right. scripts/make-meshes turns this into voussoir.msh.
//
//     .---.  end
//     |   |        inner .. outer: radius -+ thickness/2
//     '---'  start (y = 0)
//
If (!Exists(thickness))
  thickness = 0.110004; // 1.03 times the least that stands with mu = 0.8
EndIf
If (!Exists(radius))
  radius = 1;
EndIf
SetFactory("Built-in");
angle = Pi / 27;
inner = radius - thickness / 2;
outer = radius + thickness / 2;
Point(1) = {0, 0, 0};
Point(2) = {inner, 0, 0};
Point(3) = {outer, 0, 0};
Point(4) = {outer * Cos(angle), outer * Sin(angle), 0};
Point(5) = {inner * Cos(angle), inner * Sin(angle), 0};
Line(1) = {2, 3};
Circle(2) = {3, 1, 4};
Line(3) = {4, 5};
Circle(4) = {5, 1, 2};
Transfinite Curve {1, 3} = 3;
Transfinite Curve {2, 4} = 2;
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("start", 10) = {1};
Physical Curve("end", 11) = {3};
Physical Surface("block", 1) = {1};
