// Half of an arch with the mid-line y = H/2 (1 - cos 2 pi x) + a (1 - cos 4 pi x), x from 0 (clamp) to 1/2 (crown), H = 0.03, a = 1e-4, thickness 0.01 along the normal: 40 x 1 quadrilaterals.
// gmsh -2 -format msh22 half-arch.geo
H = 0.03; a = 1e-4; t = 0.01; n = 40;
For i In {0:n}
  x = i/(2*n); s = H*Pi*Sin(2*Pi*x) + 4*a*Pi*Sin(4*Pi*x); l = Sqrt(1 + s*s);
  y = H/2*(1 - Cos(2*Pi*x)) + a*(1 - Cos(4*Pi*x));
  Point(1 + i) = {x + t/2*s/l, y - t/2/l, 0};
  Point(101 + i) = {x - t/2*s/l, y + t/2/l, 0};
EndFor
For i In {0:n}
  Line(1 + i) = {1 + i, 101 + i};
EndFor
For i In {1:n}
  Line(100 + i) = {i, i + 1};
  Line(200 + i) = {100 + i, 101 + i};
  Curve Loop(i) = {100 + i, i + 1, -(200 + i), -i};
  Plane Surface(i) = {i};
  bottom[] += {100 + i}; top[] += {200 + i}; all[] += {i};
EndFor
Transfinite Curve {1:n+1, 101:100+n, 201:200+n} = 2;
Transfinite Surface {1:n};
Recombine Surface {1:n};
Physical Curve("clamp", 1) = {1};
Physical Curve("crown", 2) = {n + 1};
Physical Curve("top", 3) = {top[]};
Physical Curve("bottom", 4) = {bottom[]};
Physical Surface("arch", 5) = {all[]};
