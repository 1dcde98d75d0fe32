"""Meshes in other formats than gmsh's: what gmsh, meshio and VTK write here and now, read back by meshio and by us.

.inp, .unv and .med by gmsh; .med also by meshio, and converted by gmsh; .vtu by meshio (text, base64, zlib) and by VTK (appended, raw or base64, compressed or not, of either byte order); .stl by gmsh, text and
binary; .obj by meshio. And the lines of `delassus explain E0403`, which convert other formats.
"""

import shlex
import subprocess
import sys

from collections import Counter
from pathlib import Path

import gmsh
import meshio
import numpy as np
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader, vtkXMLUnstructuredGridWriter

from gmsh_model import start
from support import mesh_info, tool

# meshio's names of what the kinds of ours are in gmsh's numbers; meshio reads no CPS6 and CPS8 of .inp, so quadratic cells are compared by .vtu.
KINDS = {"tetra": "4", "tetra10": "11", "hexahedron": "5", "hexahedron20": "17", "wedge": "6", "triangle": "2", "quad": "3"}
MODELS = ["tetra", "tetra10", "hexahedron", "hexahedron20", "wedge"]
VTK_FORMS = [(mode, packed, big) for mode in ("raw", "base64", "inline", "ascii") for packed in (0, 1) for big in (0, 1)]
EXPECTED = 3 + 3 * len(MODELS) + 4 + len(VTK_FORMS) + 3 + 2 + 3


def block(kind):
    """A block of 2 x 1 x 1 m in cells of a kind, with the groups `low` (x = 0) and `body`."""
    gmsh.clear()
    gmsh.model.add(kind)
    geo = gmsh.model.geo
    geo.addPoint(0, 0, 0, 0.5, 1)
    recombine = kind.startswith("hexahedron")
    line = geo.extrude([(0, 1)], 0, 1, 0, [2])
    face = geo.extrude([line[1]], 0, 0, 1, [2], recombine=recombine)
    solid = geo.extrude([face[1]], 2, 0, 0, [3] if kind not in ("tetra", "tetra10") else [], recombine=recombine or kind == "wedge")
    geo.synchronize()
    gmsh.model.addPhysicalGroup(2, [face[1][1]], 5, "low")
    gmsh.model.addPhysicalGroup(3, [solid[1][1]], 6, "body")
    gmsh.option.setNumber("Mesh.ElementOrder", 2 if kind in ("tetra10", "hexahedron20") else 1)
    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
    gmsh.option.setNumber("Mesh.MshFileVersion", 2.2)
    gmsh.option.setNumber("Mesh.Binary", 0)
    gmsh.model.mesh.generate(3)


def by_meshio(mesh, solid):
    """Cells of our solid by kind, and all places of nodes, are those meshio reads."""
    counts = Counter()
    for cells in mesh.cells:
        counts[KINDS.get(cells.type)] += len(cells.data)
    for number in ("4", "11", "5", "17", "6"):
        assert solid["cells"].get(number, 0) == counts[number], (number, solid["cells"], counts)
    used = np.unique(np.concatenate([c.data.ravel() for c in mesh.cells if c.type in MODELS]))
    ours, theirs = np.array(solid["points"]), mesh.points[used]
    assert ours.shape == theirs.shape
    order = lambda x: x[np.lexsort(np.round(x, 9).T)]
    assert np.abs(order(ours) - order(theirs)).max() <= 1e-12


def whole(solid):
    assert "error" not in solid, solid
    assert abs(solid["measure"] - 2.0) <= 1e-12, solid["measure"]


def grid(path, out, mode, packed, big):
    """A .vtu written again by VTK in another form."""
    reader, writer = vtkXMLUnstructuredGridReader(), vtkXMLUnstructuredGridWriter()
    reader.SetFileName(str(path))
    writer.SetInputConnection(reader.GetOutputPort())
    writer.SetFileName(str(out))
    {"ascii": writer.SetDataModeToAscii, "inline": writer.SetDataModeToBinary}.get(mode, writer.SetDataModeToAppended)()
    writer.SetEncodeAppendedData(mode == "base64")
    (writer.SetCompressorTypeToZLib if packed else writer.SetCompressorTypeToNone)()
    (writer.SetByteOrderToBigEndian if big else writer.SetByteOrderToLittleEndian)()
    assert writer.Write() == 1


def cases(folder):
    start()
    out, paths = [], []
    for kind in MODELS:
        block(kind)
        for ending in ("inp", "unv", "msh", "med"):
            gmsh.write(str(folder / f"{kind}.{ending}"))
        if kind == "tetra":
            gmsh.write(str(folder / "tetra.cgns"))
            for binary in (0, 1):
                gmsh.option.setNumber("Mesh.Binary", binary)
                gmsh.write(str(folder / f"surface{binary}.stl"))
        mesh = meshio.read(folder / f"{kind}.msh")
        meshio.write(folder / f"{kind}.vtu", meshio.Mesh(mesh.points, mesh.cells, cell_data={"part": mesh.cell_data["gmsh:physical"]}))
    forms = {}
    for mode, packed, big in VTK_FORMS:
        path = folder / f"{mode}{packed}{big}.vtu"
        grid(folder / "hexahedron20.vtu", path, mode, packed, big)
        forms[path] = f"{mode}, zlib {packed}, big endian {big}"
    surface = meshio.read(folder / "surface0.stl")
    meshio.write(folder / "surface.obj", meshio.Mesh(surface.points, surface.cells))
    surfaces = [folder / "surface0.stl", folder / "surface1.stl", folder / "surface.obj"]
    paths = [folder / f"{kind}.{ending}" for kind in MODELS for ending in ("inp", "unv", "med", "vtu")] + list(forms) + surfaces
    # What meshio writes: MED in the older layout of HDF5, cells in VTK's order.
    mesh = meshio.read(folder / "hexahedron.msh")
    parts = [cells for cells in mesh.cells if cells.type == "hexahedron"]
    theirs = folder / "meshio.med"
    tags = [np.where(np.arange(len(cells.data)) < 2, -1, -2) for cells in parts]
    meshio.write(theirs, meshio.Mesh(mesh.points, parts, cell_data={"cell_tags": tags}))
    converted = folder / "from-med.msh"
    gmsh.open(str(folder / "tetra.med"))
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.write(str(converted))
    made = conversions(folder)
    entries = mesh_info([*paths, converted, theirs, *made.values()])
    out.append(("MED by meshio", lambda: older_med(theirs, entries[theirs])))
    for line, path in made.items():
        out.append((line, lambda line=line, path=path: converts(line, entries[path], folder)))
    out.append(("tetra.med by way of gmsh", lambda: from_med(folder, entries[converted])))
    for kind in MODELS:
        for ending in ("inp", "unv", "med"):
            path = folder / f"{kind}.{ending}"
            out.append((path.name, lambda kind=kind, path=path: beside_msh(folder, kind, entries[path])))
        out.append((f"{kind}.vtu", lambda kind=kind: vtu(folder / f"{kind}.vtu", entries[folder / f"{kind}.vtu"])))
        for ending in ("inp", "med") if kind not in ("tetra10", "hexahedron20") else ("med",):
            path = folder / f"{kind}.{ending}"
            if path.name != "wedge.med":
                out.append((f"{path.name} by meshio", lambda path=path: by_meshio(meshio.read(path), entries[path]["solid"])))
    for path, form in forms.items():
        out.append((f"VTK: {form}", lambda path=path: vtu(path, entries[path])))
    for path in surfaces:
        out.append((path.name, lambda path=path: triangles(path, entries[path])))
    return out


def beside_msh(folder, kind, entry):
    whole(entry["solid"])
    (msh,) = mesh_info([folder / f"{kind}.msh"]).values()
    ours, theirs = entry["solid"], msh["solid"]
    # gmsh writes 14 digits.
    assert np.abs(np.array(ours["points"]) - np.array(theirs["points"])).max() <= 1e-13, "the same nodes in the same order"
    named = lambda solid: {g[2]: (g[0], *g[3:]) for g in solid["groups"] if g[2] in ("low", "body")}
    assert named(ours) == named(theirs) and len(named(ours)) == 2, ours["groups"]
    assert ours["boundary_facets"] == theirs["boundary_facets"]


def older_med(path, entry):
    whole(entry["solid"])
    by_meshio(meshio.read(path), entry["solid"])


def conversions(folder):
    """The lines of `explain E0403`, run as they stand on files of the names that they have: what each makes, by its line."""
    done = subprocess.run([tool("DELASSUS"), "explain", "E0403"], capture_output=True, text=True, check=True)
    lines = [line.strip() for line in done.stdout.splitlines() if line.strip().startswith(("gmsh ", "meshio "))]
    assert len(lines) == 3, lines
    place = folder / "conversions"
    place.mkdir()
    (place / "part.geo").write_text(GEOMETRY)
    (place / "part.cgns").write_bytes((folder / "tetra.cgns").read_bytes())
    mesh = meshio.read(folder / "tetra.msh")
    parts = [(cells.type, cells.data) for cells in mesh.cells if cells.type == "tetra"]
    tags = [tag for cells, tag in zip(mesh.cells, mesh.cell_data["gmsh:physical"]) if cells.type == "tetra"]
    meshio.write(place / "part.vtk", meshio.Mesh(mesh.points, parts, cell_data={"part": tags}))
    made = {}
    for k, line in enumerate(lines):
        words = shlex.split(line.split("  ")[0])
        command = [sys.executable, "-B", str(Path(sys.executable).with_name(words[0])), *words[1:]]
        ran = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)
        assert ran.returncode == 0, f"{line}: {ran.stdout}{ran.stderr}"
        path = place / f"{k}-{words[-1]}"
        (place / words[-1]).rename(path)
        made[line] = path
    return made


GEOMETRY = """SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 2, 1, 1};
Physical Surface("low") = {1};
Physical Volume("body") = {1};
Mesh.MeshSizeMax = 0.6;
"""


def converts(line, entry, folder):
    whole(entry["solid"])
    names = {g[2] for g in entry["solid"]["groups"]}
    expected = {"part=6"} if line.startswith("meshio") else {"low", "body"}
    assert names >= expected, names


def from_med(folder, entry):
    """Cells, and groups by their names, which MED fills up with blanks; not the order of the nodes."""
    whole(entry["solid"])
    (msh,) = mesh_info([folder / "tetra.msh"]).values()
    named = lambda solid: {g[2]: g[0] for g in solid["groups"] if g[2] in ("low", "body")}
    assert named(entry["solid"]) == named(msh["solid"]) and len(named(msh["solid"])) == 2, entry["solid"]["groups"]
    assert entry["solid"]["cells"] == msh["solid"]["cells"] and entry["solid"]["boundary_facets"] == msh["solid"]["boundary_facets"]


def vtu(path, entry):
    whole(entry["solid"])
    by_meshio(meshio.read(path.with_name("hexahedron20.vtu") if path.stem not in MODELS else path), entry["solid"])
    assert {g[2] for g in entry["solid"]["groups"]} == {"part=5", "part=6"}


def triangles(path, entry):
    mesh = meshio.read(path)
    facets = np.array(entry["surface"]["facets"])
    points = np.array(entry["surface"]["points"])
    theirs = mesh.points[np.vstack([c.data for c in mesh.cells if c.type == "triangle"])]
    assert facets.shape == theirs.shape[:2]
    # meshio reads the numbers of a text as single ones, too.
    assert np.abs(points[facets] - theirs).max() <= 1e-6
    cross = np.cross(points[facets[:, 1]] - points[facets[:, 0]], points[facets[:, 2]] - points[facets[:, 0]])
    # gmsh saves the facets of physical groups: the end of the block.
    assert abs(np.linalg.norm(cross, axis=1).sum() / 2 - 1.0) <= 1e-6
    assert "a surface only" in entry["solid"]["error"]
