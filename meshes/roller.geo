// The half disc of half-disc.geo with a longer sole, the roller of cases/roller.ron. scripts/make-meshes turns this into roller.msh.
half = 0.0095;
depth = 0.0095;
cells = 19;
layers = 12;
rings = 14;
squeeze = 1.15;
Include "half-disc.geo";
