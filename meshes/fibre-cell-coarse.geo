// The half cell of fibre-cell.geo with fewer cells, for tests. scripts/make-meshes turns this into fibre-cell-coarse.msh.
quarter = 3;
rings = 1;
shells = 2;
layers = 12;
Include "fibre-cell.geo";
