// The half disc of half-disc.geo with half as many cells each way, for the study of its mesh. scripts/make-meshes turns this into half-disc-coarse.msh.
cells = 8;
layers = 5;
rings = 12;
squeeze = 1.2769;
Include "half-disc.geo";
