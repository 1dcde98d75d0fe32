// The block of voussoir.geo with a mean radius of 3.2 m and 0.462643 m thick: 0.144576 of the radius. scripts/make-meshes turns this into voussoir-smooth-thin.msh.
radius = 3.2;
thickness = 0.462643;
Include "voussoir.geo";
