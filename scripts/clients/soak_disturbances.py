"""What the soak does to a run, and how it starts one.

Every disturbance leaves the run undone or done; `--resume`, without the disturbance, must then lead to the bytes of the run that was left alone.
"""

import json
import resource
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass

from kill_and_resume import Looked
from soak_checks import contents, judge_end, same_results
from support import tool

# Address space of every run, so that none takes the machine down.
MOST_MEMORY = 8 << 30
# Time in which a run must end after SIGTERM. A single factorisation of a body cannot be interrupted (docs/resume.md), and the machine may be busy.
HEARD = 20.0
THREADS = (1, 2, 4, 8)


@dataclass
class Ended:
    """How a process ended."""

    words: str
    code: int
    stdout: str
    stderr: str
    seconds: float
    # Stopped by the time limit of the soak.
    stopped: bool = False
    # Seconds it lived on after SIGTERM, if it had to be killed.
    not_heard: float = 0.0

    def story(self):
        return f"$ {self.words}\nexit code {self.code} after {self.seconds:.2f} s{' (time limit)' if self.stopped else ''}\n{self.stdout[-2000:]}{self.stderr[-2000:]}\n"


class Place:
    """A folder in which a case is run, always by the same relative names, so that messages with paths are the same too."""

    def __init__(self, folder, case, seconds):
        self.folder, self.case, self.limit = folder, case, seconds
        self.out = folder / "out"
        self.story = []
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, *words, threads=1, stop=None, limits=(), stdout=subprocess.PIPE, command="run"):
        """Runs the program; `stop` is (signal, seconds), `limits` pairs for setrlimit."""
        arguments = [str(self.case), "--out", "out", "--threads", str(threads), *words] if command == "run" else list(words)
        line = [tool("DELASSUS"), command, *arguments]

        def restrict():
            for what, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_CORE, 0), *limits):
                resource.setrlimit(what, (most, most))

        begin = time.perf_counter()
        process = subprocess.Popen(line, cwd=self.folder, stdout=stdout, stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=restrict,
                                   stdin=subprocess.DEVNULL)
        stopped, not_heard = False, 0.0
        try:
            if stop:
                try:
                    said = process.communicate(timeout=stop[1])
                except subprocess.TimeoutExpired:
                    process.send_signal(stop[0])
            try:
                said = process.communicate(timeout=max(self.limit - (time.perf_counter() - begin), HEARD if stop else 0.1))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGTERM)
                stopped = True
                try:
                    said = process.communicate(timeout=HEARD)
                except subprocess.TimeoutExpired:
                    process.kill()
                    said, not_heard = process.communicate(), HEARD
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        limited = "".join(f" [limit {what}: {most}]" for what, most in limits)
        sent = f" [{stop[0].name} after {stop[1]:.3f} s]" if stop else ""
        # The program by its variable, so that the line can be used as it is.
        shown = " ".join(["$DELASSUS", command, *map(_quoted, arguments)])
        ended = Ended(shown + sent + limited, process.returncode, said[0] or "", said[1] or "", time.perf_counter() - begin, stopped, not_heard)
        self.story.append(ended)
        return ended


def _quoted(word):
    return word if word.replace("-", "").replace("_", "").replace("/", "").replace(".", "").isalnum() else f"'{word}'"


class Trial:
    """A case that was run once, and is to be run again under a disturbance."""

    def __init__(self, dice, straight, ended, disturbed, every):
        self.dice, self.straight, self.ended, self.place = dice, straight, ended, disturbed
        self.words = ("--checkpoint-steps", str(every))
        self.failures = []

    def start(self, *words, allowed=(), **keys):
        """One start of the run, judged by how it ended and by what it left."""
        ended = self.place.run(*self.words, *words, threads=self.dice.choice(THREADS), **keys)
        self.failures.extend(judge_end(ended, allowed))
        if self.place.out.exists():
            try:
                Looked(self.place.out).look()
            except Exception as e:
                self.failures.append(("broken files", f"after exit code {ended.code}: {type(e).__name__}: {e}"))
        return ended

    def is_over(self, ended):
        """Did it end as the straight run did, by itself?"""
        return ended.code == self.ended.code and not ended.stopped

    def finish(self, ended, is_limited=False):
        """Resumes until the run ends as the straight one did; then every byte must be the same."""
        if is_limited and ended.code != 0 and self.is_over(ended):
            # It ended as it should, and could not write all that belongs to that.
            ended = self.start("--resume")
        for _ in range(3):
            if self.is_over(ended):
                break
            if ended.stopped:
                # Slower than its time limit on a busy machine: nothing to compare.
                return
            ended = self.start("--resume")
        if not self.is_over(ended):
            if not ended.stopped:
                self.failures.append(("resume", f"exit code {ended.code} where the straight run has {self.ended.code}: {ended.stderr[-400:]}"))
            return
        self.compare()

    def compare(self):
        self.failures.extend(same_results(self.straight.out, self.place.out))


def none(t):
    """Nothing: other commands must tell of the straight run what it told itself."""
    if t.ended.code not in (0, 1):
        return
    word = json.loads((t.straight.out / "manifest.json").read_text())["judgement"]["word"]
    shown = t.straight.run("out", "--json", command="show")
    t.failures.extend(judge_end(shown))
    if shown.code == 0 and json.loads(shown.stdout)["verdict"] != word:
        t.failures.append(("manifest", f"show tells {json.loads(shown.stdout)['verdict']}, the manifest {word}"))
    t.failures.extend(judge_end(t.straight.run("out", command="report")))
    strict = t.start("--strict")
    expected = 0 if word == "Pass" else 1
    if not strict.stopped and strict.code != expected:
        t.failures.append(("strict", f"exit code {strict.code} of --strict for {word}"))


def threads(t):
    """Another number of threads."""
    t.finish(t.start())


def _stopped(t, number, allowed):
    """Several signals at random moments, each before a start with other threads."""
    ended = None
    for k in range(t.dice.randint(1, 3)):
        after = t.dice.uniform(0.0, 1.1) * t.ended.seconds
        ended = t.start(*(["--resume"] if k else []), stop=(number, after), allowed=allowed)
        if number == signal.SIGTERM and ended.code == 130 and ended.seconds - after > HEARD:
            t.failures.append(("not heard", f"{ended.seconds - after:.1f} s after SIGTERM"))
        if t.is_over(ended):
            break
    t.finish(ended)


def kills(t):
    """SIGKILL at random moments."""
    _stopped(t, signal.SIGKILL, (signal.SIGKILL,))


def terminations(t):
    """SIGTERM at random moments."""
    # Before the program listens, the signal ends it as it ends every program.
    _stopped(t, signal.SIGTERM, (signal.SIGTERM,))


def file_size(t):
    """No file may grow beyond a limit."""
    largest = max([len(b) for b in contents(t.straight.out).values()], default=1000)
    most = int(t.dice.decades(100, max(1.2 * largest, 200)))
    t.finish(t.start(limits=[(resource.RLIMIT_FSIZE, most)]), is_limited=True)


def full_disk(t):
    """A disk that is full somewhere on the way, and has room again when the run is resumed; `file_size` where none can be mounted."""
    total = sum(len(b) for b in contents(t.straight.out).values())
    room = 4096 * max(1, int(t.dice.uniform(0.05, 1.3) * total / 4096))
    t.place.out.mkdir(parents=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}", "soak", str(t.place.out)], capture_output=True)
    if mounted.returncode != 0:
        t.place.out.rmdir()
        file_size(t)
        return
    try:
        # A folder that is there and empty is fine.
        ended = t.start()
        subprocess.run(["mount", "-o", "remount,size=100m", str(t.place.out)], capture_output=True, check=True)
        t.finish(ended, is_limited=True)
        # What it holds is to outlive the disk.
        shutil.copytree(t.place.out, t.place.folder / "copy")
    finally:
        subprocess.run(["umount", "-l", str(t.place.out)], capture_output=True)
    t.place.out.rmdir()
    (t.place.folder / "copy").rename(t.place.out)


def little_memory(t):
    """An address space in which the run may or may not fit."""
    # Below some 50 MB the system cannot even let the first stack grow, and ends any program.
    most = int(t.dice.decades(5e7, 1e9))
    t.finish(t.start(limits=[(resource.RLIMIT_AS, most)]), is_limited=True)


def processor_time(t):
    """A batch system's limit: one second of processor time, then SIGXCPU; short runs get SIGTERM half-way."""
    if t.ended.seconds < 1.5:
        t.finish(t.start(stop=(signal.SIGTERM, 0.5 * t.ended.seconds), allowed=(signal.SIGTERM,)))
    else:
        t.finish(t.start(limits=[(resource.RLIMIT_CPU, 1)], allowed=(signal.SIGXCPU, signal.SIGKILL)))


def few_files(t):
    """Hardly any open files."""
    t.finish(t.start(limits=[(resource.RLIMIT_NOFILE, t.dice.randint(4, 16))]), is_limited=True)


def lost_output(t):
    """What it says goes nowhere: a run for programs must not end as if it had been told."""
    with open("/dev/full", "w") as full:
        ended = t.start("--json", stdout=full)
    if ended.code == 0:
        t.failures.append(("lost output", "`run --json > /dev/full` ends with 0"))
    t.finish(ended)


DISTURBANCES = [(none, 3), (threads, 3), (kills, 5), (terminations, 4), (file_size, 2), (full_disk, 3), (little_memory, 3), (processor_time, 1), (few_files, 1),
                (lost_output, 1)]


def choose(dice):
    options, weights = zip(*DISTURBANCES)
    return dice.choices(options, weights)[0]


def keep(source, target, most=5_000_000):
    """Copies a results folder for later; without frames if it is large."""
    if not source.exists():
        return
    size = sum(p.stat().st_size for p in source.rglob("*") if p.is_file())
    ignore = shutil.ignore_patterns("*.vtu", "*.ckpt") if size > most else None
    shutil.copytree(source, target, ignore=ignore, dirs_exist_ok=True)
