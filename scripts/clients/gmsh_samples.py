"""The sample files of delassus-mesh, read by gmsh's own library and by ours to the same mesh.

Nodes by number with equal bits, elements with node order and physical groups, names, and the plane mesh made of them
(cells by kind, group sizes, area). What the mesh of bodies cannot hold (solids, second order) must be refused by name.
"""

from collections import Counter

from gmsh_model import compare, load, start
from support import ROOT, mesh_info

FOLDER = ROOT / "crates/delassus-mesh/tests/data"
FORMS = ["v22a", "v22b", "v41a", "v41b"]
UNSUPPORTED = {"v10": "1", "v40": "4"}
# Sixteen models in four forms, a partitioned one, two of versions we refuse.
EXPECTED = 16 * 4 + 1 + 2 + 1


def cases(_folder):
    start()
    paths = sorted(FOLDER.glob("*.msh"))
    entries = mesh_info(paths)
    out = [("every model in every form", lambda: complete(paths))]
    for path in paths:
        form = path.name.split(".")[1]
        check = refused if form in UNSUPPORTED else agrees
        out.append((path.name, lambda check=check, path=path, form=form: check(path, form, entries[path])))
    return out


def complete(paths):
    forms = Counter(path.name.split(".")[1] for path in paths)
    assert all(forms[form] >= 11 for form in FORMS), forms


def agrees(path, form, entry):
    model = load(path)
    assert len(model.nodes) > 10 and len(model.elements) > 10, "gmsh found no mesh"
    # On reading $Periodic in MSH 4.1 gmsh puts the nodes of one side on the image of the other, 1.6e-13 away here.
    compare(model, entry, snapped=1e-12 if path.name.startswith("periodic") else 0.0)
    version = {"22": "2.2", "41": "4.1"}[form[1:3]]
    assert (entry["file"]["version"], entry["file"]["binary"]) == (version, form[3] == "b")


def refused(path, form, entry):
    """gmsh still reads these; we say which version it is and how to save another."""
    assert len(load(path).nodes) > 10
    message = entry["error"]
    assert f"version {UNSUPPORTED[form]}" in message and "2.2 and 4.1" in message, message
