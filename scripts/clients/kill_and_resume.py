"""Runs killed with SIGKILL at random moments and resumed to the end: the same bits as runs that were left alone.

    scripts/endurance kill [RUNS] [SEED]     the long form (200 runs)

After every kill each file that is there must be readable by its client: frames by VTK, collections as XML that lists
files which exist, histories as rows of numbers. Of a history the last line may be cut: the system can end a write where a page of
memory ends when the program is killed within it. Such lines are counted. At the end every file must equal that of the straight run, bit for bit;
only manifest.json and run.log have wall times in them.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support import ROOT, Frame, History, read_pvd, run_case, tool

EXPECTED = 3

# A plane impact, friction in space, and bonds that remember: a few frames and checkpoints a second each.
CASES = {
    "bars-impact-2d": ["--set", "output=(every: 3)", "--set", "duration=4e-4"],
    "block-slide-3d": ["--set", "output=(every: 10)"],
    "two-blocks-shear": ["--set", "output=(every: 40)", "--set", "step=4e-5"],
}
CHECKPOINT = {"bars-impact-2d": 4, "block-slide-3d": 7, "two-blocks-shear": 50}


def arguments(name):
    return [*CASES[name], "--checkpoint-steps", str(CHECKPOINT[name])]


def contents(folder):
    """Every file that has no wall times in it."""
    skip = {"manifest.json", "run.log"}
    files = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in skip]
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


def state_hash(folder):
    return json.loads((folder / "manifest.json").read_text())["state_hash"]


def check_readable(folder):
    """What a killed run left; the number of files looked at, and of histories whose last line is cut."""
    looked = cut = 0
    for path in folder.rglob("*.vtu"):
        Frame(path)
        looked += 1
    for path in folder.glob("*.pvd"):
        assert all(file.is_file() for _, file in read_pvd(path)), f"{path} lists files that are not there"
        looked += 1
    for path in folder.glob("*.csv"):
        if path.stat().st_size:
            cut += History(path, unfinished=True).is_cut
        looked += 1
    for path in folder.glob("*.json"):
        json.loads(path.read_text())
    return looked, cut


class Straight:
    """A run that is left alone."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder / f"{name}-straight"
        begin = time.perf_counter()
        run_case(ROOT / f"cases/{name}.ron", self.folder, *arguments(name))
        self.seconds = time.perf_counter() - begin
        self.hash, self.contents = state_hash(self.folder), contents(self.folder)


def killed_and_resumed(straight, folder, dice):
    """One run, killed at least once; (kills, files looked at, lines cut, times that the run began again at its beginning)."""
    kills = looked = cut = begun = 0
    command = [tool("DELASSUS"), "run", str(ROOT / f"cases/{straight.name}.ron"), "--out", str(folder), "--no-progress",
               "--threads", str(dice.choice([1, 2])), *arguments(straight.name)]
    while True:
        resume = ["--resume"] if kills else []
        process = subprocess.Popen(command + resume, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if kills == 0 or (kills < 4 and dice.random() < 0.5):
            time.sleep(dice.uniform(0.0, straight.seconds))
            process.send_signal(signal.SIGKILL)
        said, errors = process.communicate(timeout=600)
        begun += "no checkpoint in" in errors
        if process.returncode == 0:
            if kills:
                break
            # It was faster than the dice: again from the start, in an empty folder.
            for path in sorted(folder.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
            continue
        assert process.returncode == -signal.SIGKILL, f"exit code {process.returncode}\n{said}{errors}"
        kills += 1
        if folder.exists():
            n, lines = check_readable(folder)
            looked, cut = looked + n, cut + lines
    assert state_hash(folder) == straight.hash, f"{straight.name}: another state"
    found = contents(folder)
    assert found.keys() == straight.contents.keys(), f"{found.keys() ^ straight.contents.keys()}"
    changed = [name for name in found if found[name] != straight.contents[name]]
    assert not changed, f"{straight.name}: other bytes in {changed}"
    return kills, looked, cut, begun


def cases(folder):
    """The short form: one run of each case."""
    dice = random.Random(7)

    def check(name):
        killed_and_resumed(Straight(name, folder), folder / f"{name}-killed", dice)

    for name in CASES:
        yield name, lambda name=name: check(name)


def main(runs, seed):
    dice, begin = random.Random(seed), time.perf_counter()
    kills = looked = cut = begun = 0
    with tempfile.TemporaryDirectory(prefix="delassus-kill-") as place:
        place = Path(place)
        straight = [Straight(name, place) for name in CASES]
        for s in straight:
            print(f"{s.name}: {s.seconds:.2f} s, {len(s.contents)} files, state {s.hash[:16]}", flush=True)
        for run in range(runs):
            with tempfile.TemporaryDirectory(dir=place) as folder:
                k, n, c, b = killed_and_resumed(straight[run % len(straight)], Path(folder) / "out", dice)
            kills, looked, cut, begun = kills + k, looked + n, cut + c, begun + b
            if (run + 1) % 10 == 0 or run + 1 == runs:
                left = (time.perf_counter() - begin) / (run + 1) * (runs - run - 1)
                print(f"{run + 1} of {runs} runs, {kills} kills, {looked} files read, ETA {left:.0f} s", flush=True)
    print(f"{runs} runs killed {kills} times ({begun} of them before the first checkpoint) and resumed: all bits equal; "
          f"{looked} files read after kills, {cut} histories with their last line cut; {time.perf_counter() - begin:.0f} s, seed {seed}, {os.cpu_count()} cores")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
