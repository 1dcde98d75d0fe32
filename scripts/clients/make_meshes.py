"""Meshes of the cases: every meshes/<name>.geo gives <name>.msh (MSH 4.1, text). Called by scripts/make-meshes."""

import sys
from pathlib import Path

import gmsh


def make(geo, msh):
    """Meshes one model: its volumes if it has any, its surfaces if not."""
    gmsh.initialize(["gmsh", "-v", "2"], readConfigFiles=False, interruptible=False)
    try:
        gmsh.open(str(geo))
        # One thread and a fixed seed: the same file every time.
        gmsh.option.setNumber("General.NumThreads", 1)
        gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
        gmsh.option.setNumber("Mesh.Binary", 0)
        gmsh.model.mesh.generate(gmsh.model.getDimension())
        gmsh.write(str(msh))
    finally:
        gmsh.finalize()


if __name__ == "__main__":
    folder = Path(__file__).resolve().parents[2] / "meshes"
    models = sorted(folder.glob("*.geo"))
    if not models:
        sys.exit(f"no .geo in {folder}")
    for geo in models:
        make(geo, geo.with_suffix(".msh"))
        print(f"meshes/{geo.stem}.msh")
