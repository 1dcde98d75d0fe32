"""Fields of frames, contact surfaces and resultants, read by VTK and meshio and computed again here; every way of writing numbers.

bars-impact in the plane (every step is a frame) and block-slide-3d in space, cut short.
"""

import subprocess
import xml.etree.ElementTree as ElementTree

import numpy as np

from support import ROOT, Frame, History, assert_meshio_agrees, close, read_pvd, run_case, same, tool

EXPECTED = 10

STEP = 0.2226e-5
FIELDS = "output.fields=[stress, strain, principal_stress, principal_directions, velocity, acceleration, nodal_stress, nodal_von_mises]"
# 128 x 64 cells: a scalar on them has 8192 x 8 bytes, one block of zlib exactly.
PLATE = """(title: "plate", kinematics: SmallStrain, materials: [(name: "m", density: 1000, law: KelvinVoigt(young: 1e9, poisson: 0.3))],
    bodies: [(name: "plate", mesh: Rectangle(corner: (0, 0), size: (2, 1), cells: (128, 64)), material: "m", velocity: (1, 0))],
    boundary: [(body: "plate", group: "left", x: 0, y: 0)],
    integrator: Theta(theta: 0.55), step: 1e-5, duration: 2e-5, output: (every: 1))"""


def tensor(c):
    """XX YY ZZ XY YZ XZ as matrices."""
    return np.stack([c[:, [0, 3, 5]], c[:, [3, 1, 4]], c[:, [5, 4, 2]]], axis=1)


def frames(folder, name):
    return [Frame(path) for _, path in read_pvd(folder / f"{name}.pvd")]


class Runs:
    def __init__(self, folder):
        self.folder = folder
        self.bars, self.block, self.plate = folder / "bars", folder / "block", folder / "plate"
        run_case(ROOT / "cases/bars-impact.ron", self.bars, "--set", FIELDS)
        run_case(ROOT / "cases/block-slide-3d.ron", self.block, "--set", "duration=2e-3", "--set", "output.every=1", "--set", FIELDS)
        (folder / "plate.ron").write_text(PLATE)
        run_case(folder / "plate.ron", self.plate)


def accelerations_are_differences_of_velocities(runs):
    for folder, step in ((runs.bars, STEP), (runs.block, 1e-4)):
        all_frames = frames(folder, "fields")
        assert not all_frames[0].point_data["acceleration"].any()
        for before, frame in zip(all_frames, all_frames[1:]):
            change = (frame.point_data["velocity"] - before.point_data["velocity"]) / step
            close("acceleration", frame.point_data["acceleration"], change, 1e-12 * max(1.0, np.abs(change).max()))


def principal_stresses_are_eigenvalues(runs):
    for folder in (runs.bars, runs.block):
        for frame in frames(folder, "fields"):
            stress = tensor(frame.cell_data["stress"])
            scale = max(np.abs(stress).max(), 1e-300)
            values = frame.cell_data["principal_stress"]
            close("principal", values, np.linalg.eigvalsh(stress)[:, ::-1], 1e-13 * scale)
            axes = frame.cell_data["principal_directions"].reshape(-1, 3, 3)
            close("directions", np.einsum("cki,ck,ckj->cij", axes, values, axes), stress, 1e-13 * scale)
            close("orthonormal", np.einsum("cki,cli->ckl", axes, axes), np.broadcast_to(np.eye(3), axes.shape), 1e-13)


def nodal_stress_of_bars(runs):
    """Cells of a bar have one stress each along x: a node between two has their mean, one at an end its own."""
    for frame in frames(runs.bars, "fields"):
        sums, n = np.zeros((frame.n_points, 6)), np.zeros(frame.n_points)
        for cell, stress in zip(frame.cells, frame.cell_data["stress"]):
            sums[cell] += stress
            n[cell] += 1
        scale = 1e-12 * max(np.abs(frame.cell_data["stress"]).max(), 1.0)
        close("nodal stress", frame.point_data["nodal_stress"], sums / n[:, None], scale)
        s = tensor(frame.point_data["nodal_stress"])
        deviator = s - np.eye(3) * np.trace(s, axis1=1, axis2=2)[:, None, None] / 3
        mises = np.sqrt(1.5 * (deviator**2).sum(axis=(1, 2)))
        close("nodal von Mises", frame.point_data["nodal_von_mises"], mises, scale)


def surface_tractions_make_the_force(runs):
    """The integral of a linear field over segments (thickness 1) and over rectangles."""
    for folder, pair, normal in ((runs.bars, "faces", 0), (runs.block, "ground", 1)):
        history = History(folder / "history.csv")
        shown = frames(folder, "contact_surfaces")
        assert len(shown) == len(history)
        for row, frame in enumerate(shown):
            push, shear = 0.0, np.zeros(3)
            for cell in frame.cells:
                x = frame.points[cell]
                area = np.linalg.norm(x[1] - x[0]) * (1.0 if len(cell) == 2 else np.linalg.norm(x[2] - x[1]))
                push += area * frame.point_data["contact_pressure"][cell].mean()
                shear += area * frame.point_data["contact_shear"][cell].mean(axis=0)
            force = np.array([history[f"{pair}.force_{a}"][row] for a in "xyz"[: 2 if folder == runs.bars else 3]])
            scale = 1e-11 * max(1.0, np.abs(force).max())
            close("normal", push, abs(force[normal]), scale)
            others = [k for k in range(len(force)) if k != normal]
            close("shear", shear[others], force[others], scale)


def resultants_are_those_of_the_contacts(runs):
    for folder, pair, dimension in ((runs.bars, "faces", 2), (runs.block, "ground", 3)):
        history = History(folder / "history.csv")
        for row, frame in list(enumerate(frames(folder, "contacts")))[1:]:
            force, x = frame.point_data["force"], frame.points
            moment = np.cross(x, force).sum(axis=0)
            axes = "xyz" if dimension == 3 else "z"
            found = np.array([history[f"{pair}.moment_{a}"][row] for a in axes])
            close("moment", found, moment if dimension == 3 else moment[2:], 1e-11 * max(1.0, np.abs(moment).max()))
            push = np.maximum(frame.point_data["force_normal"], 0.0)
            centre = np.array([history[f"{pair}.centre_{a}"][row] for a in "xyz"[:dimension]])
            if push.sum() > 0:
                close("centre", centre, (push[:, None] * x).sum(axis=0)[:dimension] / push.sum(), 1e-12)
            else:
                assert np.isnan(centre).all()


def every_file_is_read_by_meshio(runs):
    for folder in (runs.bars, runs.plate):
        for name in ("fields", "contact_surfaces"):
            if (folder / f"{name}.pvd").is_file():
                for _, path in read_pvd(folder / f"{name}.pvd"):
                    assert_meshio_agrees(path, Frame(path))


def packed_plain_and_single_have_the_same_numbers(runs):
    """Also arrays whose length is one block exactly."""
    plain, single = runs.folder / "plain", runs.folder / "single"
    run_case(runs.folder / "plate.ron", plain, "--set", "output.compress=false")
    run_case(runs.folder / "plate.ron", single, "--set", "output.precision=Single")
    sizes = []
    for path in sorted((runs.plate / "fields").iterdir()):
        packed, other, short = Frame(path), Frame(plain / "fields" / path.name), Frame(single / "fields" / path.name)
        assert packed.n_cells == 8192
        for name, array in packed.arrays().items():
            same(name, other.arrays()[name], array)
            same(name, short.arrays()[name], array.astype(np.float32) if array.dtype == np.float64 else array)
        assert_meshio_agrees(plain / "fields" / path.name, other)
        sizes.append((path.stat().st_size, (plain / "fields" / path.name).stat().st_size))
    assert all(a < b for a, b in sizes), sizes


def fields_may_be_left_out(runs):
    few = runs.folder / "few"
    run_case(runs.folder / "plate.ron", few, "--set", "output.fields=[]")
    frame = frames(few, "fields")[-1]
    assert set(frame.point_data) == {"displacement"} and set(frame.cell_data) == {"von_mises", "body"}


def films_and_modes_are_read(runs):
    program = tool("DELASSUS")
    subprocess.run([program, "film", str(runs.block)], check=True, capture_output=True, timeout=120)
    root = ElementTree.parse(runs.block / "film.svg").getroot()
    assert root.tag.endswith("svg") and len([g for g in root if g.get("class", "").startswith("f")]) == 21
    out = runs.folder / "modes"
    command = [program, "modes", str(runs.folder / "plate.ron"), "--count", "3", "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    for frame in frames(out, "modes"):
        assert np.abs(frame.point_data["displacement"]).max() > 0.1 and not frame.point_data["displacement"][:, 2].any()


# A plate of a file, 1 x 1 m or mm, whose left side is pulled.
PULLED = """(title: "pulled", kinematics: SmallStrain, materials: [(name: "m", density: 1000, law: KelvinVoigt(young: 1e9, poisson: 0.3))],
    bodies: [(name: "plate", mesh: File("FILE"), material: "m", scale: SCALE, faces: [(name: "low", all_of: [Normal(direction: (-1, 0), within: 10)])])],
    boundary: [(body: "plate", group: "low", x: Displacement(Expression("PULL")), y: 0)],
    integrator: Theta(theta: 0.5), step: 1e-8, duration: 3e-8, output: (every: 1))"""


def a_plate_in_millimetres(runs):
    """The same nodes a thousandth as far, and the way of the held side, which is linear in time and so exact at every step."""
    found = {}
    for name, scale, pull in (("large", "1.0", "2*t"), ("small", "Mm(1)", "2e-3*t")):
        text = PULLED.replace("FILE", str(ROOT / "crates/delassus-mesh/tests/data/plate_q8.inp"))
        case = runs.folder / f"{name}.ron"
        case.write_text(text.replace("SCALE", scale).replace("PULL", pull))
        run_case(case, runs.folder / name)
        found[name] = frames(runs.folder / name, "fields")
    large, small = found["large"], found["small"]
    same("points", small[0].points, large[0].points * 1e-3)
    low = small[0].points[:, 0] == small[0].points[:, 0].min()
    assert 2 < low.sum() < len(low)
    for speed, all_frames in ((2.0, large), (2e-3, small)):
        for frame in all_frames:
            close("way", frame.point_data["displacement"][low, 0], speed * frame.time, 1e-13 * speed * 3e-8)


def cases(folder):
    runs = Runs(folder)
    for check in (
        accelerations_are_differences_of_velocities,
        principal_stresses_are_eigenvalues,
        nodal_stress_of_bars,
        surface_tractions_make_the_force,
        resultants_are_those_of_the_contacts,
        every_file_is_read_by_meshio,
        packed_plain_and_single_have_the_same_numbers,
        fields_may_be_left_out,
        films_and_modes_are_read,
        a_plate_in_millimetres,
    ):
        yield check.__name__, lambda check=check: check(runs)
