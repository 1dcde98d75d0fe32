"""Bits across processors: cases × builds × levels of instructions × threads × (straight, killed and resumed).

    scripts/endurance bits [CASE ...]         the table of hashes, twelve cases unless named
    scripts/endurance bits --cost [CASE ...]  what the portable build costs, as ratios of processor times

Processors with less are this one with `cpuid` answered otherwise (processor.py; Linux on x86-64). It has to hold:

- native build: the same bits with AVX-512 and without; those without AVX2 and FMA are another level, and a run of one level is not resumed on
  the other (E0826);
- portable build: the same bits on all.

A killed run is ended by SIGKILL once half its steps are done, and goes on from its last checkpoint. Long cases are cut to their first steps.
"""

import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import processor
from hash_table import FEWER, ROOT, step_of, tool

THREADS = [1, 2, 8]

# Impact and friction in the plane and in space, bonds, viscoelasticity, objective rates, meshes made by sines and by gmsh, Lemke and Newton.
CASES = [
    "bars-impact", "bars-impact-3d", "block-slide-3d", "blocks-gmsh", "bouncing-ball", "cylinder-impact", "double-cantilever", "h8-cubes",
    "maxwell-shear", "oblique-impact", "sphere-impact", "two-blocks-pull",
]

# Steps of cases that would take long 36 times over.
SHORT = FEWER | {
    "block-slide-3d": 300, "bouncing-ball": 400, "cylinder-impact": 200, "double-cantilever": 80, "h8-cubes": 12, "sphere-impact": 8,
    "two-blocks-pull": 300,
}

# What the cost is measured on: cases, settings, steps. The last one is all large factors.
COSTS = [
    ("h8-cubes", [], 40),
    ("fibre-matrix", [], 4),
    ("hertz-sphere", [], 10),
    ("h8-cubes", ["bodies.lower.mesh.refine=16", "bodies.upper.mesh.refine=16"], 4),
]

HIDDEN = {"nothing": "as it is", "avx512": "no AVX-512", "avx2": "no AVX2, no FMA"}


def programs():
    return {"native": tool("DELASSUS"), "portable": tool("DELASSUS_PORTABLE")}


def command(program, hidden, case, out, threads, settings):
    script = Path(__file__).parent / "processor.py"
    words = [sys.executable, str(script), hidden, program, "run", str(case), "--out", str(out), "--no-progress", "--threads", str(threads)]
    return [*words, *[w for s in settings for w in ("--set", s)]]


def settings_of(case, steps=None, more=()):
    steps = steps or SHORT.get(case.stem)
    cut = [f"duration={steps * step_of(case):.17g}"] if steps else []
    return ["output=(every: 1000000)", *cut, *more]


def finished(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}"


def killed(words, out, rows):
    """Ends the run by SIGKILL once it has so many rows; False if it was faster."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    history = out / "history.csv"
    while process.poll() is None:
        if history.is_file() and history.read_bytes().count(b"\n") > rows and any(out.glob("checkpoints/*")):
            # The program goes with the script that watches it.
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.001)
    return process.wait() == -signal.SIGKILL


def manifest(out):
    return json.loads((out / "manifest.json").read_text())


class Table:
    """Hashes of one case by build and level, and how many runs were killed on the way."""

    def __init__(self, case, folder):
        self.hashes, self.levels, self.runs, self.kills, self.steps = {}, {}, 0, 0, 0
        settings = settings_of(case)
        for build, program in programs().items():
            for hidden in HIDDEN:
                found = self.hashes[build, hidden] = set()
                for threads in THREADS:
                    straight = folder / f"{build}-{hidden}-{threads}"
                    finished(command(program, hidden, case, straight, threads, settings))
                    told = manifest(straight)
                    self.steps, self.levels[build, hidden] = told["steps"], told.get("level", "")
                    found.add(told["state_hash"])
                    again = folder / f"{build}-{hidden}-{threads}-killed"
                    words = [*command(program, hidden, case, again, threads, settings), "--checkpoint-steps", str(max(1, self.steps // 8))]
                    self.kills += killed(words, again, self.steps // 2)
                    finished([*words, "--resume"])
                    found.add(manifest(again)["state_hash"])
                    assert (again / "history.csv").read_bytes() == (straight / "history.csv").read_bytes(), f"{again}: another history"
                    self.runs += 2

    def problems(self):
        of = self.hashes
        if len(of["native", "nothing"] | of["native", "avx512"]) != 1:
            yield "native: AVX-512 makes a difference"
        if len(of["native", "avx2"]) != 1:
            yield "native without AVX2: threads or kills make a difference"
        if len(set.union(*(of["portable", hidden] for hidden in HIDDEN))) != 1:
            yield "portable: the level makes a difference"
        levels = [self.levels["native", hidden] for hidden in HIDDEN]
        if levels[0] != levels[1] or levels[1] == levels[2]:
            yield f"levels told: {levels}"
        if len({self.levels["portable", hidden] for hidden in HIDDEN}) != 1:
            yield "portable: several levels told"


def is_refused(case, folder):
    """A run of one level is not resumed on another, nor by the other build."""
    settings, out = settings_of(case), folder / "other-level"
    there, here = ("native", "nothing"), [("native", "avx2"), ("portable", "nothing")]
    begin = [*command(programs()[there[0]], there[1], case, out, 1, settings), "--checkpoint-steps", "10"]
    assert killed(begin, out, 30), "the run was over before it could be killed"
    before = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}
    for build, hidden in here:
        words = [*command(programs()[build], hidden, case, out, 1, settings), "--resume"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=600)
        assert done.returncode == 2 and "E0826" in done.stderr, f"{build}, {hidden}: exit code {done.returncode}\n{done.stderr}"
    after = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}
    changed = [str(p) for p in before.keys() | after.keys() if p.name != "lock" and before.get(p) != after.get(p)]
    assert not changed, f"a refused resume changed {changed}"


def kernels():
    """Hashes of large products and factors by themselves, over many shapes; the problems found."""
    print("\n| kernels | products | triangles | dense factors | sparse factors |\n|---|---|---|---|---|")
    found = {}
    for build, program in {"native": tool("KERNEL_BITS"), "portable": tool("KERNEL_BITS_PORTABLE")}.items():
        for hidden, words in HIDDEN.items():
            line = [sys.executable, str(Path(__file__).parent / "processor.py"), hidden, program]
            done = subprocess.run(line, capture_output=True, text=True, timeout=3600, check=True)
            found[build, hidden] = hashes = [text.split()[-1] for text in done.stdout.splitlines()]
            print(f"| {build}, {words} | {' | '.join(f'`{h}`' for h in hashes)} |", flush=True)
    if found["native", "nothing"] != found["native", "avx512"]:
        yield "kernels, native: AVX-512 makes a difference"
    if any(found["portable", hidden] != found["portable", "nothing"] for hidden in HIDDEN):
        yield "kernels, portable: the level makes a difference"


def table(names):
    wrong = 0
    print("| case | steps | native: as it is, no AVX-512 | native: no AVX2, no FMA | portable: all three | runs | killed |\n|---|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory(prefix="delassus-bits-") as folder:
            found = Table(ROOT / "cases" / f"{name}.ron", Path(folder))

        def cell(*keys):
            hashes = set.union(*(found.hashes[key] for key in keys))
            return f"`{min(hashes)[:16]}`" if len(hashes) == 1 else f"{len(hashes)} DIFFERENT"

        wide, plain = cell(("native", "nothing"), ("native", "avx512")), cell(("native", "avx2"))
        portable = cell(*(("portable", hidden) for hidden in HIDDEN))
        print(f"| {name} | {found.steps} | {wide} | {plain} | {portable} | {found.runs} | {found.kills} |", flush=True)
        for problem in found.problems():
            print(f"{name}: {problem}", file=sys.stderr)
            wrong += 1
    for problem in kernels():
        print(problem, file=sys.stderr)
        wrong += 1
    with tempfile.TemporaryDirectory(prefix="delassus-bits-") as folder:
        is_refused(ROOT / "cases" / "sliding-block.ron", Path(folder))
    print("\nA run of one level is refused on another (E0826), and nothing of it is changed.")
    return 1 if wrong else 0


def seconds(words):
    """Processor time of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    finished(words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def cost(names):
    print("| case | dofs | steps | native | portable | ratio |\n|---|---|---|---|---|---|")
    for name, more, steps in COSTS:
        if names and name not in names:
            continue
        case, times = ROOT / "cases" / f"{name}.ron", {"native": [], "portable": []}
        with tempfile.TemporaryDirectory(prefix="delassus-bits-") as folder:
            for turn in range(3):
                for build, program in programs().items():
                    out = Path(folder) / f"{build}-{turn}"
                    times[build].append(seconds(command(program, "nothing", case, out, 1, settings_of(case, steps, more))[3:]))
            dofs = manifest(out)["dofs"]
        native, portable = (statistics.median(times[build]) for build in ("native", "portable"))
        print(f"| {name} | {dofs} | {steps} | {native:.2f} s | {portable:.2f} s | {portable / native:.2f} |", flush=True)
    return 0


def main(words):
    assert os.uname().sysname == "Linux" and os.uname().machine == "x86_64", "needs Linux on x86-64"
    assert set(HIDDEN) == set(processor.HIDE)
    if words[:1] == ["--cost"]:
        return cost(words[1:])
    return table(words or CASES)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
