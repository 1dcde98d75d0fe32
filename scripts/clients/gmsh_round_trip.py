"""Meshes that gmsh makes here and now, written in every form, read back by gmsh and by us.

A plate with a hole, of triangles, of quadrangles, and half of each; surfaces and curves in several physical groups, one
group without a name, names with spaces and letters beyond ASCII; with and without Mesh.SaveAll.
"""

import math

import gmsh

from gmsh_model import Model, compare, load, start
from support import mesh_info

FORMS = [(2.2, 0), (2.2, 1), (4.1, 0), (4.1, 1)]
KINDS = ["triangles", "quadrangles", "mixed"]
EXPECTED = len(KINDS) * len(FORMS) * 2 + len(KINDS)

WIDTH, HEIGHT, RADIUS = 2.0, 1.0, 0.2


def plate(kind):
    """Two surfaces side by side; the left one has the hole."""
    gmsh.clear()
    gmsh.model.add(kind)
    occ = gmsh.model.occ
    left = occ.addRectangle(0, 0, 0, WIDTH / 2, HEIGHT)
    right = occ.addRectangle(WIDTH / 2, 0, 0, WIDTH / 2, HEIGHT)
    hole = occ.addDisk(WIDTH / 4, HEIGHT / 2, 0, RADIUS, RADIUS)
    occ.cut([(2, left)], [(2, hole)])
    occ.fragment(occ.getEntities(2), [])
    occ.synchronize()
    surfaces = [tag for _, tag in gmsh.model.getEntities(2)]
    assert len(surfaces) == 2, surfaces
    left, right = sorted(surfaces, key=lambda tag: occ.getCenterOfMass(2, tag)[0])
    groups(left, right)
    gmsh.option.setNumber("Mesh.MeshSizeMin", 0.12)
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.12)
    for surface in {"triangles": [], "quadrangles": [left, right], "mixed": [right]}[kind]:
        gmsh.model.mesh.setRecombine(2, surface)
    gmsh.model.mesh.generate(2)


def groups(left, right):
    """Overlapping groups of every dimension, not all with names."""
    add = gmsh.model.addPhysicalGroup
    add(2, [left], 1, "with hole")
    add(2, [right], 2, "plain")
    add(2, [left, right], 3, "whole plate")
    add(2, [right], 40)
    box = gmsh.model.getEntitiesInBoundingBox
    low, high = -1e-6, 1e-6
    bottom = [t for _, t in box(low, low, low, WIDTH + high, high, high, 1)]
    ends = [t for _, t in box(low, low, low, high, HEIGHT + high, high, 1)]
    ends += [t for _, t in box(WIDTH + low, low, low, WIDTH + high, HEIGHT + high, high, 1)]
    assert (len(bottom), len(ends)) == (2, 2)
    add(1, bottom, 10, "bottom")
    add(1, ends, 11, "ends")
    add(1, bottom + ends, 12, "support: été")
    add(0, [box(low, low, low, high, high, high, 0)[0][1]], 20, "corner")


def write(kind, form, save_all, folder):
    version, binary = form
    gmsh.option.setNumber("Mesh.MshFileVersion", version)
    gmsh.option.setNumber("Mesh.Binary", binary)
    gmsh.option.setNumber("Mesh.SaveAll", save_all)
    path = folder / f"{kind}-{version}-{'binary' if binary else 'text'}-{'all' if save_all else 'groups'}.msh"
    gmsh.write(str(path))
    return path


def cases(folder):
    start()
    out, paths, originals = [], [], {}
    for kind in KINDS:
        plate(kind)
        model = Model()
        out.append((f"{kind}: the model itself", lambda kind=kind, model=model: meshed(kind, model)))
        for save_all in (0, 1):
            for form in FORMS:
                path = write(kind, form, save_all, folder)
                paths.append(path)
                originals[path] = (model, save_all, form)
    entries = mesh_info(paths)
    for path in paths:
        out.append((path.name, lambda path=path: agrees(path, entries[path], *originals[path])))
    return out


def meshed(kind, model):
    kinds = {k for k, _ in model.elements}
    expected = {"triangles": {1, 2, 15}, "quadrangles": {1, 3, 15}, "mixed": {1, 2, 3, 15}}[kind]
    assert kinds == expected, kinds
    assert len(model.nodes) > 100 and max(len(g) for g in model.elements.values()) == 3


def agrees(path, entry, original, save_all, form):
    model = load(path)
    compare(model, entry)
    file, plane = entry["file"], entry["plane"]
    assert (file["version"], file["binary"]) == (str(form[0]), bool(form[1]))
    # Against the model in memory before it was written.
    nodes = sorted(tuple(x) for _, *x in file["nodes"])
    if form[1] and save_all:
        assert nodes == sorted(original.nodes.values()), "binary files keep every bit"
    cells = sum(1 for kind, _ in original.elements if kind in (2, 3))
    assert sum(plane["cells"].get(k, 0) for k in ("2", "3")) == cells, "every cell once"
    expected = original.group_counts()
    if save_all and form[0] == 2.2:
        # gmsh then writes the names, but no element with its groups.
        expected = [(d, t, name, 0, 0) for d, t, name, _, _ in expected if name != str(t)]
    assert [tuple(g) for g in plane["groups"]] == expected, plane["groups"]
    # The hole is a regular polygon; text has 16 digits.
    area = WIDTH * HEIGHT - polygon(original)
    assert abs(plane["measure"] - area) <= 1e-13, (plane["measure"], area)


def polygon(model):
    """Area of the regular polygon that the edges on the hole's circle make."""

    def on_circle(node):
        x, y, _ = model.nodes[node]
        return abs(math.hypot(x - WIDTH / 4, y - HEIGHT / 2) - RADIUS) < 1e-12

    n = sum(1 for kind, members in model.elements if kind == 1 and all(map(on_circle, members)))
    assert n >= 8, n
    return n / 2 * RADIUS**2 * math.sin(2 * math.pi / n)
