// Unit square, 8-node quadrangles, 2x2. Physical groups as in plate_t3.
SetFactory("Built-in");
Mesh.ElementOrder = 2; Mesh.SecondOrderIncomplete = 1;
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 1, 0}; Point(4) = {0, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Transfinite Curve{1, 2, 3, 4} = 3; Transfinite Surface{1}; Recombine Surface{1};
Physical Surface("plate", 1) = {1};
Physical Curve("bottom", 11) = {1}; Physical Curve("right", 12) = {2};
Physical Curve("top", 13) = {3}; Physical Curve("left", 14) = {4};
Physical Point("corner", 100) = {1};
