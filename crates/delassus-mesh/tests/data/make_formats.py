"""Writes every .inp, .unv, .vtu, .stl and .obj of this folder again: pip install gmsh==4.15.2 meshio==5.3.5 vtk==9.7.1; python make_formats.py

All are made from the .msh samples, by gmsh (.inp, .unv, .stl), meshio (.vtu, .obj) and VTK (.vtu), so that a test can hold what our readers make
of them against the .msh.
"""

import gmsh
import meshio
import numpy as np
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader, vtkXMLUnstructuredGridWriter

INP = ["block_h8", "block_te4", "block_te10", "block_h20", "block_p6", "plate_q4", "plate_q8", "plate_t6"]
UNV = ["block_h8", "block_te10", "block_h20", "block_p6", "plate_q4", "plate_q8", "plate_t6"]
VTU = ["block_h20", "block_te10", "plate_q8"]


def named(file):
    """gmsh writes the folder of the file into the heading: its name is enough."""
    lines = open(file).read().split("\n")
    lines[1] = f" {file}"
    open(file, "w").write("\n".join(lines))


def grid(name):
    """The sample without its points, with the numbers of its groups."""
    mesh = meshio.read(f"{name}.v22a.msh")
    numbers = mesh.cell_data["gmsh:physical"]
    kept = [(c.type, c.data, np.asarray(n, dtype=np.int32)) for c, n in zip(mesh.cells, numbers) if c.type != "vertex"]
    return meshio.Mesh(mesh.points, [k[:2] for k in kept], cell_data={"gmsh:physical": [k[2] for k in kept]})


def raw(writer):
    writer.SetDataModeToAppended()
    writer.EncodeAppendedDataOff()


def base64(writer):
    writer.SetDataModeToAppended()
    writer.EncodeAppendedDataOn()
    writer.SetCompressorTypeToNone()
    writer.SetByteOrderToBigEndian()


def inline(writer):
    writer.SetDataModeToBinary()
    writer.SetHeaderTypeToUInt32()


def main():
    gmsh.initialize(["gmsh", "-v", "2"])
    for name in INP:
        gmsh.open(f"{name}.v41a.msh")
        gmsh.write(f"{name}.inp")
        named(f"{name}.inp")
        if name in UNV:
            gmsh.write(f"{name}.unv")
        if name == "block_te4":
            for binary, letter in ((0, "a"), (1, "b")):
                gmsh.option.setNumber("Mesh.Binary", binary)
                gmsh.write(f"{name}.{letter}.stl")
            gmsh.option.setNumber("Mesh.Binary", 0)
    gmsh.finalize()
    for name in VTU:
        meshio.write(f"{name}.zlib.vtu", grid(name))
    meshio.write("block_te10.ascii.vtu", grid("block_te10"), binary=False)
    for form in (raw, base64, inline):
        reader, writer = vtkXMLUnstructuredGridReader(), vtkXMLUnstructuredGridWriter()
        reader.SetFileName("block_te10.zlib.vtu")
        writer.SetInputConnection(reader.GetOutputPort())
        writer.SetFileName(f"block_te10.{form.__name__}.vtu")
        form(writer)
        writer.Write()
    mesh = meshio.read("block_te4.v22a.msh")
    triangles = np.vstack([c.data for c in mesh.cells if c.type == "triangle"])
    meshio.write("block_te4.obj", meshio.Mesh(mesh.points, [("triangle", triangles)]))


if __name__ == "__main__":
    main()
