"""Every frame of cases/bars-impact.ron, read by VTK and by meshio, against the history and against physics.

Two bars of 20 x 1 squares-in-a-row meet head-on. All that is needed to judge the frames is computed here from the
case's data (geometry, density, Young's modulus, speed) or read from history.csv; nothing from another frame reader.
"""

import json

import meshio
import numpy as np

from support import ROOT, Frame, History, assert_meshio_agrees, close, read_pvd, run_case, same

EXPECTED = 19

# The case's data, written again.
LENGTH, HEIGHT, CELLS = 0.254, 1.0, 20
DENSITY, YOUNG, SPEED, STEP, THETA = 7895.7, 0.20684e12, 5.13588, 0.2226e-5, 0.55
PITCH = LENGTH / CELLS
STEPS = 90
WAVE = np.sqrt(YOUNG / DENSITY)
# Contact force while the bars are pressed together, and time of release.
PLATEAU, RELEASE = DENSITY * WAVE * SPEED * HEIGHT, 2 * LENGTH / WAVE

POINT_ARRAYS = {"displacement": 3, "velocity": 3, "acceleration": 3, "reaction": 3, "nodal_stress": 6, "nodal_von_mises": 1}
CELL_ARRAYS = {
    "stress": 6, "strain": 6, "principal_stress": 3, "von_mises": 1, "stress_invariant": 1, "strain_invariant": 1, "body": 1, "material": 1,
}
CONTACT_ARRAYS = {
    "gap": 1, "normal": 3, "force": 3, "force_normal": 1, "slip_velocity": 3, "status": 1, "mu": 1, "area": 1,
    "pressure": 1, "shear": 3, "law_error": 1, "pair": 1, "slip_distance": 1, "friction_energy": 1,
}
INTEGERS = {"body", "material", "status", "pair"}
NAMES = {1: [None], 3: ["X", "Y", "Z"], 6: ["XX", "YY", "ZZ", "XY", "YZ", "XZ"]}


class Bars:
    """The run, with all its frames in memory."""

    def __init__(self, folder):
        self.folder = folder / "bars"
        run_case(ROOT / "cases/bars-impact.ron", self.folder)
        self.history = History(self.folder / "history.csv")
        self.listed = {name: read_pvd(self.folder / f"{name}.pvd") for name in ("fields", "contacts")}
        self.fields = [Frame(path) for _, path in self.listed["fields"]]
        self.contacts = [Frame(path) for _, path in self.listed["contacts"]]
        first = self.fields[0]
        self.left = first.cell_data["body"] == 0
        # Nodes of the left bar come first; within a bar the node at (i, j) is j (CELLS + 1) + i.
        self.n_left = len(first.points) // 2
        column = np.tile(np.arange(CELLS + 1), 2)
        weight = np.where((column == 0) | (column == CELLS), 0.5, 1.0)
        self.mass = np.tile(weight * DENSITY * PITCH * HEIGHT / 2, 2)
        self.left_face = np.flatnonzero(column == CELLS)
        self.right_face = self.n_left + np.flatnonzero(column == 0)
        self.column = column

    def rows(self):
        """(row, frame of the fields)"""
        return enumerate(self.fields)

    def steps(self):
        """(row, frame of the contacts), without the initial state"""
        return list(enumerate(self.contacts))[1:]


def collections_list_every_state(run):
    """The PVD files list a frame for every row of the history, at its very time; nothing else lies beside them."""
    assert len(run.history) == STEPS + 1
    for name, listed in run.listed.items():
        same(f"{name}.pvd", [t for t, _ in listed], run.history["time"])
        expected = [run.folder / name / f"{name}_{i:06}.vtu" for i in range(STEPS + 1)]
        assert [path for _, path in listed] == expected, name
        assert sorted((run.folder / name).iterdir()) == expected, f"{name}: files that no collection lists"


def time_value_is_that_of_the_history(run):
    for frames in (run.fields, run.contacts):
        same("TimeValue", [f.time for f in frames], run.history["time"])
    # Sums of ninety steps: round-off of the last bits of the largest.
    close("time", run.history["time"], STEP * np.arange(STEPS + 1), 1e-18)


def names_and_components(run):
    for frame in run.fields:
        check_arrays(frame, frame.point_data, POINT_ARRAYS, frame.n_points)
        check_arrays(frame, frame.cell_data, CELL_ARRAYS, frame.n_cells)
    for frame in run.contacts:
        check_arrays(frame, frame.point_data, CONTACT_ARRAYS, frame.n_points)
        assert not frame.cell_data


def check_arrays(frame, found, expected, n):
    assert set(found) == set(expected), set(found) ^ set(expected)
    for name, components in expected.items():
        shape = (n,) if components == 1 else (n, components)
        assert found[name].shape == shape, f"{name}: {found[name].shape}"
        kind = np.int32 if name in INTEGERS else np.float64
        assert found[name].dtype == kind, f"{name}: {found[name].dtype}"
        names = ["1", "2", "3"] if name == "principal_stress" else NAMES[components]
        assert frame.components[name] == names, f"{name}: {frame.components[name]}"


def every_number_is_finite(run):
    for frame in run.fields + run.contacts:
        assert np.isfinite(frame.points).all() and np.isfinite(frame.time)
        for name, array in frame.arrays().items():
            assert np.isfinite(array).all(), name
    for name in run.history.names:
        # Where nothing touches, contacts have no centre.
        assert ".centre_" in name or np.isfinite(run.history[name]).all(), name


def meshio_reads_the_same_bits(run):
    """All frames with cells; a file without cells is beyond meshio (it indexes the first cell), whoever wrote it."""
    refused = []
    for (_, path), frame in zip(run.listed["fields"] + run.listed["contacts"], run.fields + run.contacts):
        if frame.n_cells > 0:
            assert_meshio_agrees(path, frame)
            continue
        try:
            meshio.read(path)
        except IndexError:
            refused.append(path.name)
    assert refused == ["contacts_000000.vtu"], refused


def geometry_is_that_of_the_case(run):
    bar = np.array([[i * PITCH, j * HEIGHT, 0.0] for j in range(2) for i in range(CELLS + 1)])
    expected = np.concatenate([bar - [LENGTH, 0.0, 0.0], bar])
    quads = [[k, k + 1, k + CELLS + 2, k + CELLS + 1] for k in range(CELLS)]
    cells = quads + [[k + run.n_left for k in quad] for quad in quads]
    for frame in run.fields:
        assert (frame.n_points, frame.n_cells) == (84, 40)
        assert set(frame.types) == {9}, "VTK_QUAD"
        close("points", frame.points, expected, 1e-15)
        assert frame.cells == cells
        area = sum(shoelace(frame.points[cell]) for cell in frame.cells)
        close("area", area, 2 * LENGTH * HEIGHT, 1e-14)


def shoelace(x):
    y = np.roll(x, -1, axis=0)
    return 0.5 * float(np.sum(x[:, 0] * y[:, 1] - y[:, 0] * x[:, 1]))


def bodies_and_materials(run):
    for frame in run.fields:
        centres = np.array([frame.points[cell].mean(axis=0) for cell in frame.cells])
        same("body", frame.cell_data["body"], (centres[:, 0] > 0).astype(np.int32))
        same("material", frame.cell_data["material"], np.zeros(40, dtype=np.int32))


def faces_move_as_the_probes_say(run):
    """Means over two nodes: round-off of displacements of 1e-3 m and velocities of 10 m/s."""
    for row, frame in run.rows():
        for probe, nodes in (("left_face", run.left_face), ("right_face", run.right_face)):
            compare_probe(run, row, frame, probe, nodes, np.full(len(nodes), 1 / len(nodes)))


def bars_move_as_the_probes_say(run):
    """Mass-weighted means; end nodes weigh half."""
    for row, frame in run.rows():
        for probe, nodes in (("left_bar", np.arange(run.n_left)), ("right_bar", run.n_left + np.arange(run.n_left))):
            mass = run.mass[nodes]
            compare_probe(run, row, frame, probe, nodes, mass / mass.sum())


def compare_probe(run, row, frame, probe, nodes, weights):
    for letter, name, tolerance in (("u", "displacement", 1e-17), ("v", "velocity", 1e-13)):
        mean = weights @ frame.point_data[name][nodes]
        for i, axis in enumerate("xy"):
            close(f"{probe}.{letter}{axis}, row {row}", mean[i], run.history[f"{probe}.{letter}{axis}"][row], tolerance)
        assert not frame.point_data[name][:, 2].any(), "nothing leaves the plane"


def kinetic_energy_and_momentum(run):
    """From the velocities and the lumped masses; relative to the energy, or momentum of a bar, at the start."""
    energy = 0.5 * run.mass.sum() * SPEED**2
    close("energy at the start", run.history["kinetic_energy"][0], energy, 1e-13 * energy)
    for row, frame in run.rows():
        v = frame.point_data["velocity"]
        close("kinetic", 0.5 * run.mass @ (v**2).sum(axis=1), run.history["kinetic_energy"][row], 1e-13 * energy)
        momentum = run.mass @ v
        scale = 1e-13 * run.mass.sum() * SPEED
        close("momentum", momentum[:2], [run.history["momentum_x"][row], run.history["momentum_y"][row]], scale)
        close("momentum is conserved", momentum, 0.0, 10 * scale)


def strain_is_the_gradient_of_displacement(run):
    """Uniform in each cell; differences of displacements of 1e-3 m over 1e-2 m leave 1e-16."""
    for _, frame in run.rows():
        u = frame.point_data["displacement"][:, 0]
        gradient = [(u[c[1]] + u[c[2]] - u[c[0]] - u[c[3]]) / (2 * PITCH) for c in frame.cells]
        close("strain XX", frame.cell_data["strain"][:, 0], gradient, 1e-15)
        # The bars have no Poisson effect: nothing happens across.
        close("other strains", frame.cell_data["strain"][:, 1:], 0.0, 1e-15)


def stress_is_young_times_strain(run):
    scale = 1e-13 * PLATEAU
    for _, frame in run.rows():
        stress, strain = frame.cell_data["stress"], frame.cell_data["strain"]
        close("stress XX", stress[:, 0], YOUNG * strain[:, 0], scale)
        close("von Mises", frame.cell_data["von_mises"], np.abs(stress[:, 0]), scale)


def elastic_energy_is_that_of_stress_and_strain(run):
    volume, scale = PITCH * HEIGHT, 0.5 * run.mass.sum() * SPEED**2
    for row, frame in run.rows():
        energy = 0.5 * volume * np.sum(frame.cell_data["stress"][:, 0] * frame.cell_data["strain"][:, 0])
        close("elastic energy", energy, run.history["elastic_energy"][row], 1e-13 * scale)


def stress_plateau(run):
    """Between the arrivals of the waves at a cell near the faces, its mean stress is -rho c V within 2 % (the front is
    smeared over a few cells)."""
    near = [CELLS - 2, CELLS + 1]
    window = [f for f in run.fields if 0.2 * RELEASE <= f.time <= 0.8 * RELEASE]
    assert len(window) >= 25
    for cell in near:
        mean = np.mean([f.cell_data["stress"][cell, 0] for f in window])
        close("plateau", mean / (PLATEAU / HEIGHT), -1.0, 0.02)


def reactions_are_the_contact_forces(run):
    """On the nodes of the left bar they add up to the pair's force, on both bars to nothing."""
    for row, frame in run.rows():
        reaction = frame.point_data["reaction"]
        total = reaction[: run.n_left].sum(axis=0)
        force = [run.history["faces.force_x"][row], run.history["faces.force_y"][row], 0.0]
        close("reaction on the left bar", total, force, 1e-12 * PLATEAU)
        close("action and reaction", reaction.sum(axis=0), 0.0, 1e-12 * PLATEAU)
        inside = np.delete(reaction, np.concatenate([run.left_face, run.right_face]), axis=0)
        assert not inside.any(), "no force away from the faces"


def first_contact_frame_is_empty(run):
    """VTK reads it without a word (`Frame` fails on any), with all its arrays, of no tuples."""
    assert (run.contacts[0].n_points, run.contacts[0].n_cells) == (0, 0)
    assert set(run.contacts[0].point_data) == set(CONTACT_ARRAYS)
    for _, frame in run.steps():
        assert (frame.n_points, frame.n_cells, set(frame.types)) == (2, 2, {1})


def contact_forces_add_up(run):
    for row, frame in run.steps():
        d = frame.point_data
        total = [run.history["faces.force_x"][row], run.history["faces.force_y"][row], 0.0]
        close(f"force, row {row}", d["force"].sum(axis=0), total, 1e-12 * PLATEAU)
        close("no friction", d["force"], d["force_normal"][:, None] * d["normal"], 1e-12 * PLATEAU)
        close("normal", d["normal"], np.tile([-1.0, 0.0, 0.0], (2, 1)), 1e-12)
        close("unit normal", np.linalg.norm(d["normal"], axis=1), 1.0, 1e-15)
        close("area", d["area"], HEIGHT / 2, 1e-15)
        close("pressure", d["pressure"], d["force_normal"] / d["area"], 1e-12 * PLATEAU / HEIGHT)
        close("shear", d["shear"], 0.0, 1e-12 * PLATEAU / HEIGHT)
        assert not d["mu"].any() and not d["pair"].any()
        same("active contacts", float(np.count_nonzero(d["force_normal"])), run.history["active_contacts"][row])
        same("law error", d["law_error"].max(), run.history["law_error"][row])


def contact_law_holds_in_the_frames(run):
    """Signorini at every contact, from the numbers in the file; positions from the frame of the fields before."""
    closed = 0
    for row, frame in run.steps():
        gap, force, status = (frame.point_data[n] for n in ("gap", "force_normal", "status"))
        # Penetration the law sees: round-off of positions of 0.25 m.
        assert gap.min() >= -1e-16 and force.min() >= 0.0
        assert (np.minimum(gap, force / PLATEAU) <= 1e-16).all(), "a force at a distance"
        same("status", status == 0, force == 0.0)
        assert set(status) <= {0, 1, 2}
        before = run.fields[row - 1]
        moved = before.point_data["displacement"] + STEP * (1 - THETA) * before.point_data["velocity"]
        close("points", frame.points, (before.points + moved)[run.left_face], 1e-15)
        closed += int((status != 0).any())
    assert closed >= 40, f"only {closed} states in contact"


def manifest_tells_the_same(run):
    manifest = json.loads((run.folder / "manifest.json").read_text())
    assert manifest["steps"] == STEPS and manifest["dofs"] == 168
    same("time", manifest["time"], run.history["time"][-1])
    assert manifest["verdict"]["law_error"] == run.history["law_error"].max() <= 1e-12
    assert all(check["passed"] for check in manifest["verification"]["checks"])
    assert (run.folder / "case.ron").read_bytes() == (ROOT / "cases/bars-impact.ron").read_bytes()


CHECKS = [
    collections_list_every_state, time_value_is_that_of_the_history, names_and_components, every_number_is_finite,
    meshio_reads_the_same_bits, geometry_is_that_of_the_case, bodies_and_materials, faces_move_as_the_probes_say,
    bars_move_as_the_probes_say, kinetic_energy_and_momentum, strain_is_the_gradient_of_displacement,
    stress_is_young_times_strain, elastic_energy_is_that_of_stress_and_strain, stress_plateau,
    reactions_are_the_contact_forces, first_contact_frame_is_empty, contact_forces_add_up,
    contact_law_holds_in_the_frames, manifest_tells_the_same,
]


def cases(folder):
    run = Bars(folder)
    return [(check.__name__, lambda check=check: check(run)) for check in CHECKS]
