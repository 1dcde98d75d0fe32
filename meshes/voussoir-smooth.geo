// The block of voussoir.geo with a mean radius of 2.2 m and 0.344573 m thick: 0.156624 of the radius. scripts/make-meshes turns this into voussoir-smooth.msh.
radius = 2.2;
thickness = 0.344573;
Include "voussoir.geo";
