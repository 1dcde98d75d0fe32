#!/usr/bin/env python3
"""A pyramid of spheres at rest, by Siconos (Debian: siconos-mechanics-tools) and by Delassus, in one run.

    /usr/bin/python3 benches/peers/siconos_spheres.py [--side 8] [--steps 100] [--delassus target/release/delassus]

The lowest layer is fixed. One judge for both: nothing moves, so the root mean square of the speeds of the free spheres, over g h, is the error of a step. Each program runs with several
tolerances of its Gauss-Seidel sweeps. Times are CPU times of a step, one thread.
"""

import argparse
import csv
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"
G, RADIUS, DENSITY, FRICTION = 9.81, 0.5, 1000.0, 0.5
MASS = DENSITY * 4 / 3 * 3.141592653589793 * RADIUS**3


def rows(side):
    """Rows along x: first centre, number, layer."""
    for layer in range(side):
        n, start, z = side - layer, layer * RADIUS, RADIUS + layer * RADIUS * 2**0.5
        for k in range(n):
            yield (start, start + 2 * RADIUS * k, z), n, layer


def cpu(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def siconos(side, steps, h, tolerance, folder):
    import h5py
    import siconos.kernel as sk
    import siconos.numerics as sn
    from siconos.io.mechanics_run import MechanicsHdf5Runner
    from siconos.mechanics.collision.bullet import SiconosBulletOptions

    file = str(folder / "spheres.hdf5")
    with MechanicsHdf5Runner(mode="w", io_filename=file) as io:
        from siconos.mechanics.collision.tools import Contactor

        io.add_primitive_shape("ball", "Sphere", [RADIUS])
        io.add_Newton_impact_friction_nsl("contact", mu=FRICTION, e=0.0)
        for number, (first, n, layer) in enumerate(rows(side)):
            for k in range(n):
                place = [first[0] + 2 * RADIUS * k, first[1], first[2]]
                io.add_object(f"s{number}-{k}", [Contactor("ball")], translation=place, mass=None if layer == 0 else MASS)
    options = sk.solver_options_create(sn.SICONOS_FRICTION_3D_NSGS)
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 25000
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    bullet = SiconosBulletOptions()
    bullet.worldScale = 1.0
    bullet.contactBreakingThreshold = 0.02
    start = cpu(resource.RUSAGE_SELF)
    with MechanicsHdf5Runner(mode="r+", io_filename=file) as io:
        io.run(
            with_timer=False, gravity_scale=1, t0=0, T=steps * h, h=h, theta=0.5, Newton_max_iter=1, bullet_options=bullet,
            set_external_forces=lambda body: body.setFExtPtr([0.0, 0.0, -G * body.scalarMass()]),
            solver_options=options, numerics_verbose=False, output_frequency=10, verbose=False,
        )
    used = cpu(resource.RUSAGE_SELF) - start
    with h5py.File(file, "r") as data:
        values = data["data"]["velocities"][:]
    by_time = {}
    for row in values:
        by_time.setdefault(round(row[0] / h), []).append(sum(x * x for x in row[2:5]))
    speeds = [statistics.fmean(v) ** 0.5 / (G * h) for k, v in sorted(by_time.items()) if k > 0]
    return used / steps, speeds


CASE = """(
    title: "A pyramid of spheres",
    dimension: 3,
    materials: [],
    bodies: [{bodies}],
    contacts: All(law: Restitution(friction: {friction})),
    motions: [{motions}],
    loads: [Gravity(acceleration: (0.0, 0.0, -{g}))],
    integrator: Theta(theta: 0.5),
    step: {h},
    duration: {duration},
    solver: Nlgs(tolerance: {tolerance}, max_iterations: 25000, fallback: [], on_failure: AcceptAndFlag),
    output: (every: {steps}),
)
"""


def delassus(program, side, steps, h, tolerance, folder):
    bodies, motions, free = [], [], 0
    for number, ((x, y, z), n, layer) in enumerate(rows(side)):
        copies = f", copies: (count: {n}, translation: ({2 * RADIUS}, 0, 0))" if n > 1 else ""
        mesh = f"Round(centre: ({x}, {y}, {z!r}), radius: {RADIUS})"
        bodies.append(f'(name: "s{number}", mesh: {mesh}, inertia: (density: {DENSITY}){copies})')
        if layer == 0:
            motions.append(f'(body: "s{number}", x: 0.0, y: 0.0, z: 0.0, spin: 0.0)')
        else:
            free += n
    values = {"friction": FRICTION, "g": G, "h": h, "duration": steps * h, "tolerance": tolerance, "steps": steps}
    case, out = folder / "spheres.ron", folder / "out"
    case.write_text(CASE.format(bodies=", ".join(bodies), motions=", ".join(motions), **values))
    start = cpu(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "run", str(case), "--out", str(out), "--threads", "1", "--force", "--quiet"], check=False)
    used = cpu(resource.RUSAGE_CHILDREN) - start
    with open(out / "history.csv", encoding="utf-8") as file:
        table = list(csv.DictReader(file))[1:]
    speeds = [(2 * float(row["kinetic_energy"]) / (free * MASS)) ** 0.5 / (G * h) for row in table]
    return used / steps, speeds, free, max(int(float(row["active_contacts"])) for row in table)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=8)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--delassus", default="target/release/delassus")
    given = parser.parse_args()
    print(f"{given.steps} steps of {given.step} s; error: rms speed over g h, mean and largest of all steps")
    with tempfile.TemporaryDirectory() as folder:
        for tolerance in (1e-2, 1e-4, 1e-8):
            used, speeds = siconos(given.side, given.steps, given.step, tolerance, pathlib.Path(folder))
            print(f"Siconos,  {tolerance:6.0e}: {1e3 * used:9.2f} ms a step, error {statistics.fmean(speeds):.2e} {max(speeds):.2e}")
        for tolerance in (1e-2, 1e-4, 1e-8):
            used, speeds, free, active = delassus(given.delassus, given.side, given.steps, given.step, tolerance, pathlib.Path(folder))
            line = f"Delassus, {tolerance:6.0e}: {1e3 * used:9.2f} ms a step, error {statistics.fmean(speeds):.2e} {max(speeds):.2e}"
            print(f"{line}; {free} free spheres, {active} contacts")


if __name__ == "__main__":
    main()
