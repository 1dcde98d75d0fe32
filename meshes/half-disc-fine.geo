// The half disc of half-disc.geo with twice as many cells each way, for the study of its mesh. scripts/make-meshes turns this into half-disc-fine.msh.
cells = 30;
layers = 20;
rings = 48;
squeeze = 1.06301;
Include "half-disc.geo";
