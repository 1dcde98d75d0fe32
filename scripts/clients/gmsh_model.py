"""What gmsh itself sees in a mesh, in the shape in which our reader's view can be compared."""

from collections import Counter, defaultdict

import gmsh

# Dimensions of the element types in the samples: line, triangle, quadrangle, tetrahedron, hexahedron, prism, those of second order
# (line, triangle, quadrangle with and without middle, tetrahedron, hexahedron), point.
DIMENSION = {1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 8: 1, 9: 2, 10: 2, 16: 2, 11: 3, 17: 3, 15: 0}
# Those Delassus computes with in the plane.
PLANE = {1, 2, 3, 8, 9, 15, 16}


class Model:
    """Nodes, elements and groups of gmsh's current model."""

    def __init__(self):
        tags, x, _ = gmsh.model.mesh.getNodes()
        x = x.reshape(-1, 3)
        self.nodes = {int(tag): tuple(map(float, x[i])) for i, tag in enumerate(tags)}
        # gmsh keeps the copies of elements that MSH 2.2 repeats for each group, and ghost cells: one of each is meant.
        self.elements = defaultdict(set)
        self.order, self.first_tag = {}, {}
        for dim, entity in gmsh.model.getEntities():
            groups = {abs(int(g)) for g in gmsh.model.getPhysicalGroupsForEntity(dim, entity)}
            for kind, tags, nodes in zip(*gmsh.model.mesh.getElements(dim, entity)):
                n = len(nodes) // len(tags)
                for i, tag in enumerate(tags):
                    element = tuple(int(node) for node in nodes[i * n : (i + 1) * n])
                    key = (int(kind), tuple(sorted(element)))
                    self.elements[key] |= groups
                    self.order.setdefault(key, set()).add(element)
                    self.first_tag.setdefault(key, int(tag))
        self.elements = dict(self.elements)
        self.groups = [(int(d), abs(int(t))) for d, t in gmsh.model.getPhysicalGroups()]
        self.names = {(d, t): gmsh.model.getPhysicalName(d, t) for d, t in self.groups}
        self.names = {group: name for group, name in self.names.items() if name}

    def named_groups(self):
        """(dimension, number, name) of the groups with a name."""
        return sorted((d, t, name) for (d, t), name in self.names.items())

    def group_counts(self):
        """(dimension, number, name or number, elements, nodes) of every group."""
        count, nodes = Counter(), defaultdict(set)
        for (kind, members), groups in self.elements.items():
            for group in groups:
                count[DIMENSION[kind], group] += 1
                nodes[DIMENSION[kind], group].update(members)
        return [(d, t, self.names.get((d, t), str(t)), count[d, t], len(nodes[d, t])) for d, t in sorted(self.groups)]

    def bodies(self, dim):
        """Elements of a mesh of bodies of dimension `dim`: these and what is in a group below."""
        return {key for key, groups in self.elements.items() if DIMENSION[key[0]] == dim or groups}

    def measure(self, dim):
        """Area or volume by gmsh's own integration."""
        tags = [self.first_tag[key] for key in self.elements if DIMENSION[key[0]] == dim]
        return float(sum(gmsh.model.mesh.getElementQualities(tags, "volume")))


def load(path):
    """Opens a file in gmsh, alone."""
    gmsh.clear()
    gmsh.open(str(path))
    return Model()


def start():
    """Makes gmsh ready; more than once does no harm."""
    if gmsh.isInitialized():
        return
    # Messages of gmsh below errors would bury ours.
    gmsh.initialize(["gmsh", "-v", "1"], readConfigFiles=False, interruptible=False)
    # On reading a partitioned MSH 2.2 file gmsh would add elements between the partitions that the file does not have.
    gmsh.option.setNumber("Mesh.PartitionCreateTopology", 0)


def compare(model, entry, snapped=0.0):
    """Our reading of a file (`entry` of mesh_info) against gmsh's; `snapped`: how far gmsh may have moved nodes."""
    assert "error" not in entry, entry.get("error")
    file = entry["file"]
    nodes = {tag: (x, y, z) for tag, x, y, z in file["nodes"]}
    assert len(nodes) == len(file["nodes"]), "a node twice"
    if snapped > 0.0:
        assert nodes.keys() == model.nodes.keys()
        far = max(abs(a - b) for tag in nodes for a, b in zip(nodes[tag], model.nodes[tag]))
        assert far <= snapped, f"nodes differ by {far}"
        model.nodes = nodes
    assert nodes == model.nodes, differences(nodes, model.nodes)
    elements, order = {}, {}
    for _, kind, members, groups in file["elements"]:
        key = (kind, tuple(sorted(members)))
        assert key not in elements, f"element {key} twice"
        elements[key], order[key] = {abs(g) for g in groups}, tuple(members)
    assert elements == model.elements, differences(elements, model.elements)
    for key, members in order.items():
        assert members in model.order[key], f"{key}: nodes in the order {members}, gmsh has {model.order[key]}"
    # Names without elements (MSH 2.2 with Mesh.SaveAll) are kept by us, dropped by gmsh.
    used = {(DIMENSION[kind], group) for (kind, _), groups in elements.items() for group in groups}
    names = sorted((d, t, name) for d, t, name in file["names"] if (d, t) in used)
    assert names == model.named_groups(), (names, model.named_groups())
    compare_mesh(model, entry["plane"], max(1e-13, snapped))


def compare_mesh(model, plane, tolerance):
    """The mesh of plane bodies made of the file, or the refusal to make one."""
    kinds = {kind for kind, _ in model.elements}
    if not kinds <= PLANE:
        assert "error" in plane, f"elements {kinds - PLANE} were taken for plane ones"
        number = max(kinds - PLANE, key=lambda kind: (DIMENSION[kind], kind))
        assert f"gmsh type {number}" in plane["error"], plane["error"]
        return
    assert "error" not in plane, plane.get("error")
    chosen = model.bodies(2)
    assert {int(k): n for k, n in plane["cells"].items()} == Counter(kind for kind, _ in chosen)
    used = {node for kind, members in chosen if DIMENSION[kind] == 2 for node in members}
    expected = sorted(model.nodes[node][:2] for node in used)
    assert sorted(map(tuple, plane["points"])) == expected, "points"
    groups = [tuple(group) for group in plane["groups"] if group[3] > 0]
    assert groups == model.group_counts(), (groups, model.group_counts())
    area = model.measure(2)
    assert abs(plane["measure"] - area) <= tolerance * area, f"area {plane['measure']}, gmsh has {area}"


def differences(found, expected):
    wrong = [k for k in sorted(set(found) | set(expected)) if found.get(k) != expected.get(k)]
    lines = [f"{k}: {found.get(k)}, gmsh has {expected.get(k)}" for k in wrong[:5]]
    return f"{len(wrong)} differ: " + "; ".join(lines)
