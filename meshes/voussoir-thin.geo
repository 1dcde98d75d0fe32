// The block of voussoir.geo with a mean radius of 1.5 m and 0.155394 m thick: 0.103596 of the radius. scripts/make-meshes turns this into voussoir-thin.msh.
radius = 1.5;
thickness = 0.155394;
Include "voussoir.geo";
