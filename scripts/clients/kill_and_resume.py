"""Runs killed with SIGKILL at random moments and resumed to the end: the same bits as runs that were left alone.

    scripts/endurance kill [KILLS] [SEED]     the long form (1000 kills)

Two kills of three come at a random moment, the others when a certain file appears: a checkpoint, a frame, the manifest or the page on its way to its
name, or the manifest itself.

After every kill each file that is there must be readable by its client: frames by VTK, collections as XML that lists
files which exist, histories as rows of numbers. Of a history the last line may be cut: the system can end a write where a page of
memory ends when the program is killed within it. Such lines are counted.

At the end the folder must hold the same files as that of the straight run, and every byte must be equal but for what tells of the process and not of the
results (`essence`): wall times (`timings_s` of manifest.json, `in … s (… steps/s)` of run.log, the section `timings` of report.html and its copy of the log),
the number of threads (manifest.json, report.html), and the path of the folder (run.log, report.html).
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path

from support import ROOT, Frame, History, read_pvd, run_case, tool

# Cases of the short form.
EXPECTED = 3

LINE = '(name: "speed", of: Body(body: "bar", field: Vx), from: (-0.254, 0.0127), to: (0, 0.0127), time: 1e-4, curve: Expression("1"))'
REFERENCE = '(column: "bar.vx", curve: Expression("1"))'

# Settings, and steps between checkpoints. The first three are the short form.
CASES = {
    # An impact in the plane, with a line and a reference of one's own.
    "bars-impact-2d": (["output=(every: 3)", "duration=4e-4", f"verify.lines=[{LINE}]", f"verify.references=[{REFERENCE}]"], 4),
    # Friction in space, and obstacles.
    "block-slide-3d": (["output=(every: 20)"], 7),
    # Bonds that remember.
    "two-blocks-shear": (["output=(every: 40)", "step=4e-5"], 50),
    # Impact in space.
    "bars-impact-3d": (["output=(every: 3)"], 4),
    # Restitution.
    "bouncing-ball": (["output=(every: 40)"], 30),
    # Friction on curved surfaces.
    "oblique-impact": (["output=(every: 5)"], 9),
    # A long run with few contacts, by another scheme.
    "incline": (["output=(every: 60)"], 40),
    # A mesh from a file.
    "blocks-gmsh": (["output=(every: 6)"], 10),
    # Two deformable bodies in space, hundreds of contacts.
    "h8-cubes": (["output=(every: 2)", "duration=0.004"], 3),
    # A material that remembers.
    "maxwell-shear": (["output=(every: 4)"], 6),
}
SHORT = list(CASES)[:EXPECTED]

MOST_KILLS = 6

# Files whose coming is waited for.
MOMENTS = ["checkpoints", "history.csv", "fields.pvd.part", "status.json.part", "manifest.json.part", "manifest.json", "report.html.part"]


def arguments(name):
    settings, steps = CASES[name]
    return ["--report", "--checkpoint-steps", str(steps), *[word for s in settings for word in ("--set", s)]]


def essence(path, folder):
    """The bytes of a file without what tells of the process."""
    content = path.read_bytes()
    if path.name == "manifest.json":
        manifest = json.loads(content)
        del manifest["timings_s"], manifest["threads"]
        return json.dumps(manifest).encode()
    if path.name in ("run.log", "report.html"):
        text = content.decode().replace(str(folder), "FOLDER")
        text = re.sub(r" in [0-9.]+ s \([0-9]+ steps/s\)", " in TIME", text)
        text = re.sub(r'<section id="timings">.*?</section>', "TIMINGS", text, flags=re.DOTALL)
        return re.sub(r"(<th[^>]*>threads</th><td[^>]*>)[0-9]+", r"\1", text).encode()
    return content


def contents(folder):
    return {str(p.relative_to(folder)): essence(p, folder) for p in sorted(folder.rglob("*")) if p.is_file() or p.is_symlink()}


def state_hash(folder):
    return json.loads((folder / "manifest.json").read_text())["state_hash"]


class Looked:
    """What killed runs left in a folder. A frame that is as it was the last time is not read again."""

    def __init__(self, folder):
        self.folder, self.frames, self.files, self.cut = folder, {}, 0, 0

    def look(self):
        folder = self.folder
        for path in folder.rglob("*.vtu"):
            found = path.stat()
            known = (found.st_mtime_ns, found.st_size, found.st_ino)
            if self.frames.get(path) != known:
                Frame(path)
                self.files += 1
                self.frames[path] = known
        for path in folder.glob("*.pvd"):
            assert all(file.is_file() for _, file in read_pvd(path)), f"{path} lists files that are not there"
            self.files += 1
        for path in folder.glob("*.csv"):
            if path.name == "names.csv":
                rows = [line.split(",", 2) for line in path.read_text().splitlines()]
                assert rows and all(len(row) == 3 for row in rows), f"{path}: {rows}"
            elif path.stat().st_size:
                self.cut += History(path, unfinished=True).is_cut
            self.files += 1
        for path in folder.glob("*.json"):
            json.loads(path.read_text())
            self.files += 1


class Straight:
    """A run that is left alone."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder / f"{name}-straight"
        begin = time.perf_counter()
        run_case(ROOT / f"cases/{name}.ron", self.folder, *arguments(name))
        self.seconds = time.perf_counter() - begin
        self.hash, self.contents = state_hash(self.folder), contents(self.folder)
        assert any(name.startswith("fields/") for name in self.contents) and "report.html" in self.contents


def kill_at(process, moment):
    """Waits for a file to come, and kills."""
    while process.poll() is None and not os.path.lexists(moment):
        pass
    process.send_signal(signal.SIGKILL)


def killed_and_resumed(straight, folder, dice):
    """One run, killed at least once; (kills, files looked at, lines cut, times that the run began at its beginning, before its first checkpoint)."""
    kills = begun = 0
    wanted, looked = dice.randint(1, MOST_KILLS), Looked(folder)
    command = [tool("DELASSUS"), "run", str(ROOT / f"cases/{straight.name}.ron"), "--out", str(folder), "--no-progress",
               "--threads", str(dice.choice([1, 2])), *arguments(straight.name)]
    while True:
        # `--resume` from the start, as one would write it into a loop.
        process = subprocess.Popen([*command, "--resume"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if kills < wanted:
            if dice.random() < 2 / 3:
                time.sleep(dice.uniform(0.0, straight.seconds))
                process.send_signal(signal.SIGKILL)
            else:
                kill_at(process, folder / dice.choice(MOMENTS))
        said, errors = process.communicate(timeout=600)
        begun += "no checkpoint in" in errors and kills > 0
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
            looked.look()
    assert state_hash(folder) == straight.hash, f"{straight.name}: another state"
    found = contents(folder)
    assert found.keys() == straight.contents.keys(), f"{found.keys() ^ straight.contents.keys()}"
    changed = [name for name in found if found[name] != straight.contents[name]]
    assert not changed, f"{straight.name}: other bytes in {changed}"
    return kills, looked.files, looked.cut, begun


def cases(folder):
    """The short form: one run of each of three cases."""
    dice = random.Random(7)

    def check(name):
        killed_and_resumed(Straight(name, folder), folder / f"{name}-killed", dice)

    for name in SHORT:
        yield name, lambda name=name: check(name)


def one_run(straight, place, seed, run):
    with tempfile.TemporaryDirectory(dir=place) as folder:
        return killed_and_resumed(straight, Path(folder) / "out", random.Random(f"{seed}/{run}"))


def main(wanted, seed):
    begin, runs, workers = time.perf_counter(), 0, os.cpu_count()
    sums, by_case = [0, 0, 0, 0], dict.fromkeys(CASES, 0)
    with tempfile.TemporaryDirectory(prefix="delassus-kill-") as place:
        straight = [Straight(name, Path(place)) for name in CASES]
        for s in straight:
            print(f"{s.name}: {s.seconds:.2f} s, {len(s.contents)} files, state {s.hash[:16]}", flush=True)
        # Each case in its turn, so many at a time as there are cores, until there were kills enough.
        with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
            going, next_run = {}, 0
            while going or sums[0] < wanted:
                while len(going) < workers and sums[0] < wanted:
                    s = straight[next_run % len(straight)]
                    going[pool.submit(one_run, s, place, seed, next_run)] = s.name
                    next_run += 1
                for done in wait(going, return_when=FIRST_COMPLETED).done:
                    name, found = going.pop(done), done.result()
                    sums, runs = [a + b for a, b in zip(sums, found)], runs + 1
                    by_case[name] += found[0]
                    if runs % 10 == 0:
                        left = (time.perf_counter() - begin) * max(wanted / max(sums[0], 1) - 1, 0)
                        print(f"{runs} runs, {sums[0]} of {wanted} kills, {sums[1]} files read, ETA {left:.0f} s", flush=True)
    kills, looked, cut, begun = sums
    print(", ".join(f"{name} {n}" for name, n in by_case.items()))
    print(f"{runs} runs of {len(CASES)} cases killed {kills} times ({begun} of them before the first checkpoint) and resumed: all bits equal; "
          f"{looked} files read after kills, {cut} histories with their last line cut; {time.perf_counter() - begin:.0f} s, seed {seed}, {workers} cores")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
