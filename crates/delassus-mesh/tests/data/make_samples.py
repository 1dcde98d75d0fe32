"""Writes every .msh of this folder again: pip install gmsh==4.15.2; python make_samples.py

<name>.geo gives <name>.v41a (MSH 4.1 text), .v41b (binary), .v22a, .v22b. The `sheet` files, made here, have
what the others lack: a group without a name, a curve added backwards, z = 0.5, parametric nodes, node data,
ghost cells, and the versions that are not supported.
"""

import glob
import os

import gmsh

FORMS = [(4.1, 0, "v41a"), (4.1, 1, "v41b"), (2.2, 0, "v22a"), (2.2, 1, "v22b")]


def write(name, form, writer=None):
    version, binary, ending = form
    gmsh.option.setNumber("Mesh.MshFileVersion", version)
    gmsh.option.setNumber("Mesh.Binary", binary)
    (writer or gmsh.write)(f"{name}.{ending}.msh")


def models():
    for geo in sorted(glob.glob("*.geo")):
        name = geo[:-4]
        gmsh.initialize(["gmsh", "-v", "2"])
        gmsh.open(geo)
        gmsh.model.mesh.generate(3 if name.startswith("block") else 2)
        for form in FORMS:
            write(name, form)
        if name == "block_te4":
            gmsh.model.mesh.partition(2)
            write("block_te4_part2", FORMS[0])
        gmsh.finalize()


def sheet():
    gmsh.initialize(["gmsh", "-v", "2"])
    gmsh.model.add("sheet")
    geo = gmsh.model.geo
    for i, (x, y) in enumerate([(0, 0), (2, 0), (2, 1), (0, 1)], 1):
        geo.addPoint(x, y, 0.5, 0.6, i)
    for i in range(4):
        geo.addLine(i + 1, (i + 1) % 4 + 1, i + 1)
    geo.addCurveLoop([1, 2, 3, 4], 1)
    geo.addPlaneSurface([1], 1)
    geo.synchronize()
    gmsh.model.addPhysicalGroup(2, [1], 7)
    gmsh.model.addPhysicalGroup(1, [1, -2], 8, "neg")
    gmsh.model.mesh.generate(2)
    gmsh.option.setNumber("Mesh.SaveParametric", 1)
    for form in FORMS:
        write("sheet_param", form)
    gmsh.option.setNumber("Mesh.SaveParametric", 0)
    view = gmsh.view.add("field")
    tags = gmsh.model.mesh.getNodes()[0]
    gmsh.view.addModelData(view, 0, "sheet", "NodeData", tags, [[float(tag)] for tag in tags])
    for form in FORMS:
        write("sheet_plain", form)
        write("sheet_data", form, lambda path: gmsh.view.write(view, path))
    gmsh.option.setNumber("Mesh.PartitionCreateGhostCells", 1)
    gmsh.model.mesh.partition(2)
    for form in FORMS:
        write("sheet_ghost", form)
    write("sheet", (1.0, 0, "v10"))
    write("sheet", (4.0, 0, "v40"))
    gmsh.finalize()


os.chdir(os.path.dirname(os.path.abspath(__file__)))
models()
sheet()
