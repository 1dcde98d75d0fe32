// Unit block, 20-node hexahedra, 2x1x1. Physical groups as in block_te4.
SetFactory("Built-in");
Mesh.ElementOrder = 2; Mesh.SecondOrderIncomplete = 1;
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 1, 0}; Point(4) = {0, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Transfinite Curve{1, 3} = 3; Transfinite Curve{2, 4} = 2; Transfinite Surface{1}; Recombine Surface{1};
out[] = Extrude {0, 0, 1} { Surface{1}; Layers{1}; Recombine; };
Physical Volume("block", 1) = {out[1]};
Physical Surface("bottom", 21) = {1};
Physical Surface("top", 22) = {out[0]};
Physical Surface("side", 23) = {out[2], out[3], out[4], out[5]};
