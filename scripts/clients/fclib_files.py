"""Contact problems in FCLIB's format: ours read by h5py, and h5py's solved by us and judged here, by numpy alone."""

import json
import subprocess

import h5py
import numpy as np

from support import ROOT, tool

EXPECTED = 3


def solve(path, *arguments):
    done = subprocess.run([tool("DELASSUS"), "solve", "--json", *arguments, str(path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return json.loads(done.stdout)[0]


def failed_problem(folder):
    """The file that a run leaves which may not sweep enough."""
    solver = "solver=Nlgs(tolerance: 1e-14, max_iterations: 1, fallback: [], on_failure: Stop)"
    command = [tool("DELASSUS"), "run", str(ROOT / "cases/block-slide-3d.ron"), "--out", str(folder / "failed"), "--quiet", "--set", solver]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 4, f"exit code {done.returncode}\n{done.stderr}"
    return folder / "failed/failed-problem.hdf5"


def read(path):
    """W, q, mu and the dimension, as h5py reads them."""
    with h5py.File(path) as file:
        local = file["fclib_local"]
        w, size = local["W"], int(local["W/m"][0])
        assert int(w["n"][0]) == size and int(w["nz"][0]) == -2 and int(w["nzmax"][0]) == len(w["x"])
        matrix = np.zeros((size, size))
        for row in range(size):
            part = slice(w["p"][row], w["p"][row + 1])
            matrix[row, w["i"][part]] = w["x"][part]
        assert local["info/title"][()] == b"a contact problem of Delassus"
        return matrix, local["vectors/q"][:], local["vectors/mu"][:], int(local["spacedim"][0])


def natural_map(w, q, mu, d, r):
    """The error by which codes are compared."""
    u, error = w @ r + q, 0.0
    for k, m in enumerate(mu):
        part = slice(d * k, d * (k + 1))
        y, x = u[part].copy(), r[part]
        y[0] += m * np.linalg.norm(y[1:])
        z = x - y
        tangent = np.linalg.norm(z[1:])
        if tangent > m * z[0]:
            if m * tangent <= -z[0]:
                z = np.zeros(d)
            else:
                normal = (z[0] + m * tangent) / (1 + m * m)
                z = np.array([normal, *(m * normal * z[1:] / tangent)])
        error += np.sum((x - z) ** 2)
    return np.sqrt(error) / np.linalg.norm(q)


def cases(folder):
    def ours():
        w, q, mu, d = read(failed_problem(folder))
        assert d == 3 and len(q) == 3 * len(mu) == len(w), (d, len(q), len(mu))
        assert np.abs(w - w.T).max() <= 1e-12 * np.abs(w).max() and np.linalg.eigvalsh(w).min() > -1e-12 * np.abs(w).max()

    def judged():
        path = folder / "failed/failed-problem.hdf5"
        w, q, mu, d = read(path)
        solved = solve(path, "--tolerance", "1e-10")
        error = natural_map(w, q, mu, d, np.array(solved["impulses"]))
        # The same formula by other code: equal but for rounding, which the small error magnifies.
        assert error < 1e-9 and abs(error - solved["natural_map"]) < 1e-13, (error, solved["natural_map"])

    def theirs():
        path, rng = folder / "theirs.hdf5", np.random.default_rng(3)
        a = rng.normal(size=(12, 12))
        w, q, mu = a @ a.T + np.eye(12), rng.normal(size=12), np.full(4, 0.4)
        with h5py.File(path, "w") as file:
            local = file.create_group("fclib_local")
            local["spacedim"] = np.array([3], dtype="i4")
            for name, values in {"m": [12], "n": [12], "nz": [-1], "nzmax": [144], "p": range(0, 145, 12), "i": list(range(12)) * 12}.items():
                local[f"W/{name}"] = np.array(values, dtype="i4")
            local.create_dataset("W/x", data=w.T.ravel(), compression="gzip", shuffle=True, chunks=(50,))
            local["vectors/q"], local["vectors/mu"] = q, mu
        solved = solve(path, "--tolerance", "1e-12")
        error = natural_map(w, q, mu, 3, np.array(solved["impulses"]))
        assert error < 1e-10, error

    yield "h5py reads the problem that a run left", ours
    yield "numpy judges its solution as we do", judged
    yield "a file written by h5py, packed, is solved", theirs
