"""Hashes of the final state: every case, by 1, 2, 4 and 8 threads, straight and interrupted-and-resumed. One hash a case.

    scripts/endurance hashes [CASE ...]

Long cases are cut to their first steps (the column `steps`); everything else is the case as it is shipped.
"""

import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support import ROOT, tool

THREADS = [1, 2, 4, 8]

# Steps of cases that would take minutes as they are.
FEWER = {
    "cattaneo-mindlin": 25, "dome": 3, "dome-cohesive": 3, "double-cantilever": 300, "fibre-matrix": 4, "geologic-fault": 40,
    "geologic-fault-explicit": 2000, "h8-cubes": 40, "hertz-cylinder": 40, "hertz-sphere": 10, "sphere-impact": 20,
    "two-blocks-pull": 1500, "two-blocks-shear": 1500,
}


def command(case, out, threads, settings, *more):
    words = [tool("DELASSUS"), "run", str(case), "--out", str(out), "--no-progress", "--threads", str(threads)]
    return [*words, *[w for s in settings for w in ("--set", s)], *more]


def finished(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}"


def interrupted(words, history, rows):
    """Stops the run by SIGTERM once it has so many rows; False if it was faster."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        if history.is_file() and history.read_bytes().count(b"\n") > rows:
            process.send_signal(signal.SIGTERM)
            break
        time.sleep(0.001)
    _, errors = process.communicate(timeout=1200)
    assert process.returncode in (0, 130), f"exit code {process.returncode}\n{errors}"
    return process.returncode == 130


def state(out):
    manifest = json.loads((out / "manifest.json").read_text())
    return manifest["state_hash"], manifest["steps"]


def step_of(case):
    """The step of a shipped case, as it is written."""
    return float(re.search(r"^ {4}step: ([-+.0-9e]+),", case.read_text(), re.MULTILINE).group(1))


def row(case, folder):
    settings, steps = ["output=(every: 1000000)"], FEWER.get(case.stem)
    if steps:
        settings.append(f"duration={steps * step_of(case):.17g}")
    hashes, n, resumed = set(), 0, 0
    for threads in THREADS:
        out = folder / f"straight-{threads}"
        finished(command(case, out, threads, settings))
        found, n = state(out)
        hashes.add(found)
        out = folder / f"resumed-{threads}"
        words = command(case, out, threads, settings)
        if interrupted(words, out / "history.csv", n // 2):
            resumed += 1
            finished([*words, "--resume"])
        hashes.add(state(out)[0])
    return hashes, n, resumed


def main(names):
    cases = sorted(ROOT.glob("cases/*.ron"))
    if names:
        cases = [c for c in cases if c.stem in names]
    print("| case | steps | state hash | threads 1, 2, 4, 8 straight and resumed | interrupted on the way |\n|---|---|---|---|---|")
    wrong = 0
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="delassus-hash-") as folder:
            hashes, n, resumed = row(case, Path(folder))
        word = "8 equal" if len(hashes) == 1 else f"{len(hashes)} DIFFERENT"
        wrong += len(hashes) != 1
        print(f"| {case.stem} | {n} | `{sorted(hashes)[0][:16]}` | {word} | {resumed} of {len(THREADS)} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
