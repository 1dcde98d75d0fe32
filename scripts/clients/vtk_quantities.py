"""Quantities of frames that no history has: von Mises stress, reactions of supports, slip and friction energy of contacts.

Maxwell bodies of uniform stress (cases/maxwell-relaxation.ron) are held by supports; a block (cases/sliding-block.ron) slides. What the frames must say follows
from their own stresses and displacements, from the history, and from the sizes of the bodies.
"""

import numpy as np

from support import ROOT, Frame, History, close, read_pvd, run_case

EXPECTED = 5

# Areas of the pulled end of the bar and of the sheared top of the block [m2].
END, TOP = 0.02 * 0.02, 0.1 * 0.05
# Speed and deceleration of the sliding block, its step and theta.
SPEED, BRAKE, STEP, THETA = 0.5, 0.3 * 9.81, 1e-4, 0.55


class Runs:
    def __init__(self, folder):
        run_case(ROOT / "cases/maxwell-relaxation.ron", folder / "held")
        self.held = [Frame(path) for time, path in read_pvd(folder / "held" / "fields.pvd") if time > 0]
        settings = ["--set", "duration=0.05", "--set", "output=(every: 100)"]
        run_case(ROOT / "cases/sliding-block.ron", folder / "sliding", *settings)
        self.history = History(folder / "sliding" / "history.csv")
        self.sliding = [Frame(path) for time, path in read_pvd(folder / "sliding" / "contacts.pvd") if time > 0]
        assert len(self.held) >= 2 and len(self.sliding) >= 3


def deviators(frame):
    """Stress deviators as matrices."""
    xx, yy, zz, xy, yz, xz = frame.cell_data["stress"].T
    stress = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return stress - np.eye(3)[:, :, None] * (xx + yy + zz) / 3


def von_mises_is_that_of_the_stress(run):
    """Stress is uniform in each cell, so that the mean of von Mises is von Mises of the mean; rounding of stresses up to 1e6 Pa."""
    for frame in run.held:
        s = deviators(frame)
        close("von Mises", frame.cell_data["von_mises"], np.sqrt(1.5 * (s * s).sum(axis=(0, 1))), 1e-8)


def invariant_is_that_of_the_stress(run):
    for frame in run.held:
        s = deviators(frame)
        close("invariant", frame.cell_data["stress_invariant"], np.sqrt(0.5 * (s * s).sum(axis=(0, 1))), 1e-8)


def supports_hold_what_the_stress_pulls(run):
    """On the pulled end and the sheared top, stress times area, once the supports rest; then inertia is 1e-8 of that."""
    for frame in (f for f in run.held if f.time > 0.12):
        bar = frame.cell_data["stress"][frame.cell_data["body"] == 0]
        block = frame.cell_data["stress"][frame.cell_data["body"] == 1]
        x, reaction = frame.points, frame.point_data["reaction"]
        end = (np.abs(x[:, 0] - 0.1) < 1e-9) & (x[:, 1] < 0.05)
        top = np.abs(x[:, 1] - 0.15) < 1e-9
        close("pulled end", reaction[end, 0].sum(), bar[:, 0].mean() * END, 1e-6 * abs(bar[:, 0].mean() * END))
        close("sheared top", reaction[top, 0].sum(), block[:, 3].mean() * TOP, 1e-6 * abs(block[:, 3].mean() * TOP))


def slip_is_the_way_of_the_block(run):
    """h times the velocity at the end of each step: behind the way by half a step's loss of speed, whatever theta."""
    for frame in run.sliding:
        t = frame.time
        way = SPEED * t - 0.5 * BRAKE * t * t
        close("slip distance", frame.point_data["slip_distance"], way, 0.5 * STEP * BRAKE * t * 1.5 + 1e-8)


def friction_energy_adds_up_to_that_of_the_history(run):
    """Between frames: before the first step contacts may have rubbed in the search of the equilibrium."""
    for one, two in zip(run.sliding, run.sliding[1:]):
        rows = [int(round(frame.time / STEP)) for frame in (one, two)]
        found = two.point_data["friction_energy"].sum() - one.point_data["friction_energy"].sum()
        expected = np.diff(run.history["friction_dissipation"][rows])[0]
        close("friction energy", found, expected, 1e-12)


CHECKS = [
    von_mises_is_that_of_the_stress, invariant_is_that_of_the_stress, supports_hold_what_the_stress_pulls, slip_is_the_way_of_the_block,
    friction_energy_adds_up_to_that_of_the_history,
]


def cases(folder):
    run = Runs(folder)
    return [(check.__name__, lambda check=check: check(run)) for check in CHECKS]
