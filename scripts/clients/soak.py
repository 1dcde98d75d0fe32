"""Random valid-but-extreme cases under random disturbances, for hours.

    scripts/endurance soak --hours H [--seed S] [--jobs J] [--keep DIR]
    scripts/endurance soak --seed S --only N             one case again

Case N of seed S is always the same case with the same disturbance (moments of signals are drawn as parts of the time that the straight run took). Each is run
straight, judged (`soak_checks`), disturbed (`soak_disturbances`), resumed, and compared byte by byte. A failure keeps case, files and story in a folder and
prints the command that repeats it; the end is a table. Exit code 1 if anything failed.
"""

import argparse
import json
import multiprocessing
import multiprocessing.connection
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from pathlib import Path

from soak_checks import examine, judge_end
from soak_disturbances import Place, Trial, choose, few_files, full_disk, keep, kills, none, terminations, threads
from soak_scenes import Dice, scene
from support import ROOT

# Seconds that a run may take before it is stopped; how it stops is then what is checked.
LIMIT = 20.0
# Failures of which all files are kept; of others the case and the story.
KEPT = 200
# The short form: numbers of quick cases of the seed `short`, and what is done to them.
SHORT = [(0, threads), (1, none), (2, kills), (4, terminations), (5, full_disk), (14, few_files)]
EXPECTED = len(SHORT)


def attempt(seed, n, folder, limit=LIMIT, disturb=None):
    """One case, under a given or a random disturbance: a report that can be sent between processes."""
    dice = Dice(f"{seed}/{n}")
    s = scene(dice)
    case = folder / "case.json"
    case.write_text(json.dumps(s.case, indent=1) + "\n")
    straight = Place(folder / "straight", Path("..") / case.name, limit)
    every, drawn = dice.randint(1, max(1, s.steps)), choose(dice)
    disturb = disturb or drawn
    ended = straight.run("--checkpoint-steps", str(every), threads=2)
    failures, reasons = list(judge_end(ended)), []
    if ended.stopped:
        outcome = "stopped by the time limit"
    elif ended.code == 0:
        found, word, reasons = examine(straight.out, s)
        failures += found
        outcome = word or "finished"
    else:
        outcome = "refused" if not straight.out.exists() else "ended with an error"
        reasons = [f"error {code}" for code in re.findall(r"error\[(E\d{4})\]", ended.stderr)[:1]]
    done, places = "none", [straight]
    if not ended.stopped and not ended.not_heard and straight.out.exists():
        trial = Trial(dice, straight, ended, Place(folder / "disturbed", Path("..") / case.name, 3 * limit), every)
        done = disturb.__name__
        disturb(trial)
        failures += trial.failures
        places.append(trial.place)
    endings = [e for p in places for e in p.story]
    return {"n": n, "kind": s.kind, "outcome": outcome, "reasons": reasons, "disturbance": done, "failures": failures, "exits": [e.code for e in endings],
            "seconds": sum(e.seconds for e in endings), "story": "\n".join(f"# in {p.folder.name}/\n" + "".join(e.story() for e in p.story) for p in places)}


def _worker(pipe, seed, n, folder, limit):
    """In a process of its own: whatever happens here, the soak goes on."""
    # The default ends without clean-up, and a tmpfs would stay mounted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        report = attempt(seed, n, folder, limit)
    except Exception:
        report = {"n": n, "kind": "?", "outcome": "?", "reasons": [], "disturbance": "?", "failures": [("the soak itself", traceback.format_exc()[-1500:])], "exits": [], "seconds": 0.0,
                  "story": ""}
    pipe.send(report)
    pipe.close()


class Soak:
    """Cases at work, and what has been found."""

    def __init__(self, options):
        self.options, self.begin = options, time.monotonic()
        self.reports, self.kept = [], 0
        self.at_work = {}
        self.keep = Path(options.keep)

    def command(self, n):
        return f"scripts/endurance soak --seed {self.options.seed} --only {n}"

    def start(self, n, place):
        folder = Path(tempfile.mkdtemp(prefix=f"case-{n}-", dir=place))
        receiver, sender = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=_worker, args=(sender, self.options.seed, n, folder, self.options.limit))
        process.start()
        sender.close()
        self.at_work[n] = (process, receiver, folder)

    def collect(self, seconds=0.05):
        """Takes in what is finished."""
        multiprocessing.connection.wait([p.sentinel for p, _, _ in self.at_work.values()] + [r for _, r, _ in self.at_work.values()], seconds)
        for n, (process, receiver, folder) in list(self.at_work.items()):
            if receiver.poll():
                try:
                    report = receiver.recv()
                except EOFError:
                    report = None
            elif process.is_alive():
                continue
            else:
                report = None
            process.join()
            if report is None:
                report = {"n": n, "kind": "?", "outcome": "?", "reasons": [], "disturbance": "?", "failures": [("the soak itself", f"its process ended with {process.exitcode}")],
                          "exits": [], "seconds": 0.0, "story": ""}
            del self.at_work[n]
            self.add(report, folder)

    def add(self, report, folder):
        self.reports.append({k: v for k, v in report.items() if k != "story"})
        if report["failures"] or self.options.only is not None:
            target = self.keep / f"seed-{self.options.seed}-case-{report['n']}"
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir(parents=True)
            if (folder / "case.json").exists():
                shutil.copy(folder / "case.json", target)
            failures = "".join(f"{kind}: {text}\n" for kind, text in report["failures"])
            (target / "story.txt").write_text(f"{report['kind']}, {report['outcome']}, {report['disturbance']}\n{failures}\nagain: {self.command(report['n'])}\n\n{report['story']}")
            if self.kept < KEPT:
                self.kept += 1
                for run in ("straight", "disturbed"):
                    keep(folder / run / "out", target / run)
            print(f"case {report['n']} ({report['kind']}, {report['outcome']}, {report['disturbance']}):" + (" no failure" if not report["failures"] else ""))
            for kind, text in report["failures"]:
                print(f"  {kind}: {' '.join(text.split())[:300]}")
            print(f"  in {target}; again: {self.command(report['n'])}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)

    def tell(self):
        """How far it is."""
        hours = (time.monotonic() - self.begin) / 3600
        failed = sum(bool(r["failures"]) for r in self.reports)
        print(f"{hours:.2f} h: {len(self.reports)} cases, {sum(len(r['exits']) for r in self.reports)} runs, {failed} cases with failures", flush=True)

    def run(self):
        o = self.options
        numbers = iter([o.only]) if o.only is not None else iter(range(o.start, o.start + o.cases if o.cases else 10**9))
        end = self.begin + 3600 * o.hours
        told = self.begin
        with tempfile.TemporaryDirectory(prefix="delassus-soak-") as place:
            try:
                while True:
                    is_time = o.only is not None or o.cases or time.monotonic() < end
                    while is_time and len(self.at_work) < o.jobs:
                        n = next(numbers, None)
                        if n is None:
                            is_time = False
                        else:
                            self.start(n, place)
                    if not self.at_work:
                        break
                    self.collect()
                    if time.monotonic() - told > 60:
                        told = time.monotonic()
                        self.tell()
            finally:
                for process, _, _ in self.at_work.values():
                    process.terminate()
                for process, _, _ in self.at_work.values():
                    process.join()
        return self.summary()

    def summary(self):
        """The table of the end; the exit code."""
        kinds, disturbed = defaultdict(set), defaultdict(lambda: [0, 0])
        for r in self.reports:
            for kind, _ in r["failures"]:
                kinds[kind].add(r["n"])
            disturbed[r["disturbance"]][0] += 1
            disturbed[r["disturbance"]][1] += bool(r["failures"])
        failed = sorted(r["n"] for r in self.reports if r["failures"])
        hours = (time.monotonic() - self.begin) / 3600
        runs = sum(len(r["exits"]) for r in self.reports)
        print(f"\n{len(self.reports)} cases, {runs} runs, {hours:.2f} h, seed {self.options.seed}, {self.options.jobs} at a time, {os.cpu_count()} cores")
        for title, counts in (("outcome", Counter(r["outcome"] for r in self.reports)), ("reason", Counter(x for r in self.reports for x in r["reasons"])),
                              ("scene", Counter(r["kind"] for r in self.reports)),
                              ("exit code", Counter(c for r in self.reports for c in r["exits"]))):
            print(f"\n| {title} | {'runs' if title == 'exit code' else 'cases'} |\n|---|---|")
            for name, count in counts.most_common():
                print(f"| {_ending(name) if title == 'exit code' else name} | {count} |")
        print("\n| disturbance | cases | with failures |\n|---|---|---|")
        for name, (count, bad) in sorted(disturbed.items()):
            print(f"| {name.replace('_', ' ')} | {count} | {bad} |")
        print("\n| failure | cases | such as |\n|---|---|---|")
        for kind, numbers in sorted(kinds.items(), key=lambda k: -len(k[1])):
            print(f"| {kind} | {len(numbers)} | {', '.join(map(str, sorted(numbers)[:8]))} |")
        print(f"\n{len(failed)} of {len(self.reports)} cases failed" + (f"; kept in {self.keep}" if failed else ""), flush=True)
        self.keep.mkdir(parents=True, exist_ok=True)
        (self.keep / "summary.json").write_text(json.dumps(self.reports, indent=1) + "\n")
        return 1 if failed else 0


def _ending(code):
    return f"{code}" if code >= 0 else f"signal {-code} ({signal.Signals(-code).name})"


def cases(folder):
    """The short form: fixed cases, one after another."""

    def check(n, disturb):
        (folder / str(n)).mkdir()
        report = attempt("short", n, folder / str(n), disturb=disturb)
        assert report["disturbance"] == disturb.__name__, f"{report['outcome']}: nothing was there to be disturbed\n{report['story']}"
        assert not report["failures"], f"{report['failures']}\n{report['story']}"

    for n, disturb in SHORT:
        yield f"case {n}, {disturb.__name__}", lambda n=n, disturb=disturb: check(n, disturb)


def main():
    parser = argparse.ArgumentParser(prog="scripts/endurance soak", description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--seed", default="1", help="any word; the same seed gives the same cases")
    parser.add_argument("--only", type=int, metavar="N", help="this case alone")
    parser.add_argument("--start", type=int, default=0, metavar="N", help="begin with this case")
    parser.add_argument("--cases", type=int, metavar="K", help="so many cases, however long they take")
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=1, help="cases at a time")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds that a run may take")
    parser.add_argument("--keep", default=str(ROOT / "results/soak"), help="folder for what failed")
    options = parser.parse_args()
    # So that what is at work is ended and cleaned up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return Soak(options).run()


if __name__ == "__main__":
    sys.exit(main())
