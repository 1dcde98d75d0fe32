"""A case on gmsh meshes, cases/blocks-gmsh.ron: from the .geo files to the frames, against rigid-body mechanics.

A block with a hole slides on a fixed slab, mu = 0.3, and comes to rest. The mass is gmsh's area times thickness times
density; the rest is Newton's and Coulomb's laws applied to what the files hold.
"""

import json
import subprocess

import numpy as np

from gmsh_model import compare, load, start
from make_meshes import make
from support import ROOT, Frame, History, assert_meshio_agrees, close, mesh_info, read_pvd, run_case, tool

EXPECTED = 12

CASE = ROOT / "cases/blocks-gmsh.ron"
MESHES = {name: ROOT / f"meshes/{name}.msh" for name in ("slab", "block-with-hole")}
GROUPS = {"slab": {"base", "top", "sides", "slab"}, "block-with-hole": {"bottom", "top", "hole", "block"}}
# The case's data, written again.
DENSITY, THICKNESS, FRICTION, GRAVITY, SPEED, STEP, STEPS, TOLERANCE = 1200.0, 0.05, 0.3, 9.81, 0.3, 5e-4, 300, 1e-10
SHIFT = [0.08, 0.1]


class Blocks:
    """The run and what gmsh says of its meshes."""

    def __init__(self, folder):
        self.remade = {name: folder / f"{name}.msh" for name in MESHES}
        for name, path in self.remade.items():
            make(ROOT / f"meshes/{name}.geo", path)
        start()
        self.area = {name: load(path).measure(2) for name, path in MESHES.items()}
        self.mass = self.area["block-with-hole"] * THICKNESS * DENSITY
        self.folder = folder / "blocks"
        self.said = run_case(CASE, self.folder)
        self.history = History(self.folder / "history.csv")
        self.manifest = json.loads((self.folder / "manifest.json").read_text())
        self.fields = read_pvd(self.folder / "fields.pvd")
        self.contacts = read_pvd(self.folder / "contacts.pvd")
        # Until a step before the block would stop; all its contacts slip then.
        self.sliding = self.history["time"] <= 0.95 * SPEED / (FRICTION * GRAVITY)


def meshes_are_those_of_gmsh(run):
    for name, entry in mesh_info(MESHES.values()).items():
        compare(load(name), entry)
        assert {group[2] for group in entry["plane"]["groups"]} == GROUPS[name.stem]


def meshes_are_those_of_the_models(run):
    """Made again from the .geo files: same outline, whatever the triangles inside."""
    fresh = mesh_info(run.remade.values())
    for path, entry in mesh_info(MESHES.values()).items():
        other = fresh[run.remade[path.stem]]["plane"]
        entry = entry["plane"]
        outline = lambda plane: [group for group in plane["groups"] if group[0] == 1]
        assert outline(other) == outline(entry) and len(outline(entry)) == 3
        assert [g[:3] for g in other["groups"]] == [g[:3] for g in entry["groups"]]
        assert other["boundary_facets"] == entry["boundary_facets"]
        close("area", other["measure"], entry["measure"], 1e-12)


def it_runs_to_the_end(run):
    assert len(run.history) == STEPS + 1 and run.manifest["steps"] == STEPS
    close("time", run.history["time"][-1], STEP * STEPS, 1e-14)
    assert f"{STEPS} of {STEPS} steps at tolerance" in run.said, run.said


def check_finds_no_problem(run):
    done = subprocess.run([tool("DELASSUS"), "check", str(CASE)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "no problem found" in done.stdout, done.stdout + done.stderr


def law_error_is_within_tolerance(run):
    verdict = run.manifest["verdict"]
    assert verdict["law_error"] == run.history["law_error"].max() <= TOLERANCE, verdict
    assert (verdict["flagged"], verdict["cuts"], verdict["too_deep"]) == (0, 0, 0), verdict
    # Round-off of lengths of 0.4 m and of sums of some hundred terms.
    assert verdict["max_penetration"] <= 1e-13 and verdict["energy_residual"] <= 1e-12, verdict


def frames_have_the_meshes_nodes(run):
    meshes = [mesh_info([path])[path]["plane"] for path in MESHES.values()]
    counts = [len(plane["points"]) for plane in meshes]
    cells = [plane["cells"].get("2", 0) + plane["cells"].get("3", 0) for plane in meshes]
    shifted = np.concatenate([meshes[0]["points"], np.array(meshes[1]["points"]) + SHIFT])
    assert run.manifest["dofs"] == 2 * sum(counts)
    assert len(run.fields) == STEPS // 10 + 1
    for _, path in run.fields:
        frame = Frame(path)
        assert (frame.n_points, frame.n_cells) == (sum(counts), sum(cells)), path
        close("points", frame.points[:, :2], shifted, 1e-15)
        assert np.bincount(frame.cell_data["body"]).tolist() == cells
        # Quadrilaterals of the slab, triangles of the block.
        assert frame.types == [9] * cells[0] + [5] * cells[1]
        assert all(np.isfinite(array).all() for array in frame.arrays().values())
        assert_meshio_agrees(path, frame)


def newton_for_the_block(run):
    """m dv/dt = contact force + weight, step by step; relative to its weight over a step."""
    step = np.diff(run.history["time"])
    for axis, weight in (("x", 0.0), ("y", -run.mass * GRAVITY)):
        change = run.mass * np.diff(run.history[f"block.v{axis}"])
        impulse = step * (run.history[f"sole.force_{axis}"][1:] + weight)
        close(f"momentum along {axis}", change, impulse, 1e-10 * run.mass * GRAVITY * STEP)


def coulomb_for_the_velocity(run):
    """v_x = V - mu (g t + v_y) while it slides. The slab's surface tilts a little, which turns the force: 1e-6 m/s."""
    t, vx, vy = (run.history[name][run.sliding] for name in ("time", "block.vx", "block.vy"))
    assert len(t) > 150
    close("velocity", vx, SPEED - FRICTION * (GRAVITY * t + vy), 3e-6)


def it_comes_to_rest(run):
    """What is left is the block's shear vibration, below 1 % of the speed; the way is V^2 / 2 mu g within 1 %."""
    late = run.history["time"] >= 0.12
    close("velocity at the end", run.history["block.vx"][late], 0.0, 0.01 * SPEED)
    close("way", run.history["block.ux"][-1] / (SPEED**2 / (2 * FRICTION * GRAVITY)), 1.0, 0.01)
    close("weight", run.history["sole.force_y"][-1] / (run.mass * GRAVITY), 1.0, 0.001)


def friction_takes_the_energy(run):
    """All of the kinetic energy but what vibration and the slab's shear took: within 1 %."""
    lost = run.history["friction_dissipation"]
    close("energy", lost[-1] / (0.5 * run.mass * SPEED**2), 1.0, 0.01)
    assert (np.diff(lost[run.sliding]) > 0).all()


def coulomb_at_every_contact(run):
    """In the frames: force in the cone, on its edge and against the slip where it slips."""
    slipping = sticking = 0
    for _, path in run.contacts[1:]:
        frame = Frame(path)
        d = frame.point_data
        assert frame.n_points == 13 and (d["mu"] == FRICTION).all()
        normal = d["force_normal"]
        tangent = d["force"] - normal[:, None] * d["normal"]
        size = np.linalg.norm(tangent, axis=1)
        # The law error bounds what is beyond the cone, relative to forces of a few newtons.
        scale = 1e-8 * run.mass * GRAVITY
        assert (normal >= 0).all() and (size <= FRICTION * normal + scale).all(), path
        slips, sticks = d["status"] == 2, d["status"] == 1
        close("edge of the cone", size[slips], FRICTION * normal[slips], scale)
        against = np.sum(tangent * d["slip_velocity"], axis=1)
        assert (against[slips] < 0).all(), "friction opposes slip"
        close("no slip where it sticks", d["slip_velocity"][sticks], 0.0, 1e-8 * SPEED)
        slipping, sticking = slipping + int(slips.sum()), sticking + int(sticks.sum())
    assert slipping > 200 and sticking > 50, (slipping, sticking)


def slip_is_the_relative_velocity(run):
    """Velocity of the sole's nodes less that of the slab under them, from the frames of the fields. The slab's is taken
    at the end of the step, not at the contact configuration: a hundredth of a millimetre apart, 1e-5 of the speed."""
    for (_, fields), (_, contacts) in list(zip(run.fields, run.contacts))[1:]:
        frame, contact = Frame(fields), Frame(contacts)
        u, v = frame.point_data["displacement"], frame.point_data["velocity"]
        slab = np.zeros(frame.n_points, dtype=bool)
        slab[[node for cell, body in zip(frame.cells, frame.cell_data["body"]) if body == 0 for node in cell]] = True
        # The slab's top and the block's bottom start at the same height.
        level = np.abs(frame.points[:, 1] - SHIFT[1]) < 1e-12
        top, sole = np.flatnonzero(level & slab), np.flatnonzero(level & ~slab)
        x = frame.points[:, 0] + u[:, 0]
        top, sole = top[np.argsort(x[top])], sole[np.argsort(x[sole])]
        relative = v[sole, 0] - np.interp(x[sole], x[top], v[top, 0])
        order = np.argsort(contact.points[:, 0])
        found = contact.point_data["slip_velocity"][order]
        assert len(sole) == len(order) == 13
        close(f"slip in {contacts.name}", found[:, 0], relative, 1e-5 * SPEED)
        # Along the surface, which stays level within a thousandth.
        close("slip across", found[:, 1:], 0.0, 1e-3 * SPEED)


CHECKS = [
    meshes_are_those_of_gmsh, meshes_are_those_of_the_models, it_runs_to_the_end, check_finds_no_problem,
    law_error_is_within_tolerance, frames_have_the_meshes_nodes, newton_for_the_block, coulomb_for_the_velocity,
    it_comes_to_rest, friction_takes_the_energy, coulomb_at_every_contact,
    slip_is_the_relative_velocity,
]


def cases(folder):
    run = Blocks(folder)
    return [(check.__name__, lambda check=check: check(run)) for check in CHECKS]
