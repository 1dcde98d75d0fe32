#!/usr/bin/env python3
"""A dry wall of polyhedra at rest, by LMGC90 (`pip install compas_lmgc90`) and by Delassus, in one run.

    python benches/peers/lmgc90_wall.py [--bricks 10] [--courses 10] [--steps 100] [--delassus target/release/delassus]

One judge for both: nothing moves in a wall at rest, so the root mean square of the speeds of the blocks (weighted by mass), over g h, is the error of a step. LMGC90's tolerance
(1.666e-4, at most 25 000 sweeps) is fixed within the package; Delassus runs with several bounds of its sweeps, and the first whose error is not larger counts. Times are CPU times of a step, one thread.
"""

import argparse
import csv
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

os.environ["OMP_NUM_THREADS"] = "1"
G = 9.81
DENSITY = 2000.0
BRICK = (0.6, 0.3, 0.4)
FACES = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def block(low, high):
    (a, b, c), (x, y, z) = low, high
    vertices = [[a, b, c], [x, b, c], [x, y, c], [a, y, c], [a, b, z], [x, b, z], [x, y, z], [a, y, z]]
    return {"vertices": vertices, "faces": FACES}


def wall(bricks, courses):
    length, depth, height = BRICK
    ground = block((-1.0, -1.0, -0.5), (bricks * length + 1.0, 1.0 + depth, 0.0))
    all_bricks = []
    for c in range(courses):
        start = (c % 2) * 0.5 * length
        for k in range(bricks):
            low = (start + k * length, 0.0, c * height)
            all_bricks.append(block(low, (low[0] + length, depth, low[2] + height)))
    return ground, all_bricks


def cpu(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def lmgc90(ground, bricks, steps, h):
    from compas_lmgc90.solver import Solver

    solver = Solver(dt=h, theta=0.5, density=DENSITY)
    solver.geometry_from_v_f([ground, *bricks])
    solver.set_supports(z_threshold=-0.1)
    solver.contact_law("IQS_CLB", 0.3, alert=1e-3)
    solver.preprocess()
    times, speeds, before = [], [], [list(c) for c in solver.centroids]
    for _ in range(steps):
        start = cpu(resource.RUSAGE_SELF)
        state = solver.lmgc90.compute_one_step()
        times.append(cpu(resource.RUSAGE_SELF) - start)
        places = [list(x) for x in state.bodies]
        squares = [sum((p - q) ** 2 for p, q in zip(x, y)) / h**2 for x, y in zip(places[1:], before[1:])]
        speeds.append(statistics.fmean(squares) ** 0.5)
        before = places
    return times, [v / (G * h) for v in speeds], len(state.interaction_coords)


CASE = """(
    title: "A wall at rest",
    dimension: 3,
    materials: [],
    bodies: [
        (name: "wall", mesh: Blocks(File(file: "wall.json", count: {count})), inertia: (density: {density})),
        (name: "ground", mesh: Blocks(File(file: "ground.json", count: 1)), inertia: (density: {density})),
    ],
    contacts: All(law: Restitution(friction: 0.3)),
    motions: [(body: "ground", x: 0.0, y: 0.0, z: 0.0, spin: 0.0)],
    loads: [Gravity(acceleration: (0.0, 0.0, -{g}))],
    integrator: Theta(theta: 0.5),
    step: {h},
    duration: {duration},
    solver: Nlgs(tolerance: 1e-8, max_iterations: {sweeps}, fallback: [], on_failure: AcceptAndFlag),
    output: (every: {steps}),
)
"""


def delassus(program, folder, ground, bricks, steps, h, sweeps):
    (folder / "wall.json").write_text(json.dumps({"blocks": bricks}))
    (folder / "ground.json").write_text(json.dumps({"blocks": [ground]}))
    values = {"count": len(bricks), "density": DENSITY, "g": G, "h": h, "duration": steps * h, "sweeps": sweeps, "steps": steps}
    case, out = folder / "wall.ron", folder / "out"
    case.write_text(CASE.format(**values))
    start = cpu(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "run", str(case), "--out", str(out), "--threads", "1", "--force", "--quiet"], check=False)
    used = cpu(resource.RUSAGE_CHILDREN) - start
    with open(out / "history.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[1:]
    mass = len(bricks) * DENSITY * BRICK[0] * BRICK[1] * BRICK[2]
    speeds = [(2 * float(row["kinetic_energy"]) / mass) ** 0.5 / (G * h) for row in rows]
    sweeps = [float(row["solver_iterations"]) for row in rows]
    return used / steps, speeds, statistics.fmean(sweeps), max(int(float(row["active_contacts"])) for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bricks", type=int, default=10)
    parser.add_argument("--courses", type=int, default=10)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--delassus", default="target/release/delassus")
    given = parser.parse_args()
    ground, bricks = wall(given.bricks, given.courses)
    times, errors, contacts = lmgc90(ground, bricks, given.steps, given.step)
    mean = statistics.fmean(times)
    print(f"{len(bricks)} blocks, {given.steps} steps of {given.step} s; error: rms speed over g h, mean and largest of all steps")
    print(f"LMGC90              {contacts:5} contacts {1e3 * mean:9.2f} ms a step, error {statistics.fmean(errors):.2e} {max(errors):.2e}")
    with tempfile.TemporaryDirectory() as folder:
        for most in (10, 20, 50, 100, 200, 500, 2000):
            used, speeds, sweeps, active = delassus(given.delassus, pathlib.Path(folder), ground, bricks, given.steps, given.step, most)
            line = f"Delassus, {most:>6}    {active:5} contacts {1e3 * used:9.2f} ms a step, error {statistics.fmean(speeds):.2e} {max(speeds):.2e}"
            print(f"{line}, {sweeps:.0f} sweeps, ratio {mean / used:.2f}")


if __name__ == "__main__":
    main()
