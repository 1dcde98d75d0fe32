"""Mutation testing: faults are planted in a copy of the sources, and `delassus verify --quick` must notice them.

    scripts/mutants [NUMBER ...] [--list] [--check] [--table]

All faults of mutant_list.py are in one program, each behind a switch that the environment variable DELASSUS_MUTANT turns; without it the program is the
product. A switch also tells (DELASSUS_REACHED) that a run came to it: a run that never does is the same with the fault and without, and is not repeated.
The quick entries that come to a fault are run in parts, from short ones to long ones: the next part only if those before did not tell enough. Then come
the entries, client tests and unit tests that the list names for it.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from mutant_judge import WHO, Judgement, read
from mutant_list import IDENTITY, MUTANTS, REFERENCE
from mutant_table import NOTHING, UNKNOWN, table, write_table

ROOT = Path(__file__).resolve().parents[2]
STATE = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve() / "mutants"
SOURCE, BUILD, RESULTS = STATE / "source", STATE / "build", STATE / "results"
DATA = ROOT / "docs" / "data" / "mutants.json"
SUITE = ROOT / "crates" / "delassus-suite" / "src" / "suite.ron"

# The product is what the verdict rests on: results are measured again when one of these changes.
PRODUCT = re.compile(r"(Cargo\.(toml|lock)|cases/.*|meshes/.*|crates/[^/]+/(Cargo\.toml|src/.*))$")

# The switch, in the copy of delassus-math.
SWITCH = """
/// Is this planted fault the chosen one?
#[inline]
pub fn mutant(number: u32) -> bool {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    static REACHED: [AtomicBool; 1000] = [const { AtomicBool::new(false) }; 1000];
    if let Some(is_reached) = REACHED.get(number as usize) {
        if !is_reached.load(Relaxed) && !is_reached.swap(true, Relaxed) {
            reached(number);
        }
    }
    *CHOSEN.get_or_init(|| std::env::var("DELASSUS_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0)) == number
}

#[cold]
fn reached(number: u32) {
    use std::io::Write as _;
    let Some(path) = std::env::var_os("DELASSUS_REACHED") else { return };
    if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path) {
        let _ = file.write_all(format!("{number}\n").as_bytes());
    }
}
"""

AT_A_TIME = 2

# The parts end at these shares of the time of all quick entries that come to a fault.
SHARES = [0.2, 0.55, 1.0]

# A fault may make a run longer, but not so many times.
PATIENCE = 8

TESTING = threading.Lock()


class Misplaced(Exception):
    """A fault that cannot be planted."""


def crate_file(mutant):
    return f"crates/delassus-{mutant.file}"


def place(mutant, text):
    """Where the part that is replaced begins and ends."""
    before, rest = mutant.old.split("«")
    part, after = rest.split("»")
    whole = before + part + after
    found = text.count(whole)
    if found != 1:
        raise Misplaced(f"fault {mutant.number}: its piece occurs {found} times in {crate_file(mutant)}, not once: {whole}")
    begin = text.index(whole) + len(before)
    return begin, begin + len(part)


def switched(mutants, old, prefix="delassus_math::"):
    """The text of a place with the switches of all its faults."""
    is_statement = old.rstrip().endswith(";")
    text = old
    for mutant in reversed(mutants):
        chosen = f"{prefix}mutant({mutant.number})"
        if "{is}" in mutant.new:
            if len(mutants) > 1:
                raise Misplaced(f"fault {mutant.number} has a switch of its own and shares its place with another")
            return mutant.new.replace("{is}", chosen)
        text = f"if {chosen} {{ {mutant.new} }} else {{ {text} }}"
    return text if is_statement else f"({text})"


def planted(text, mutants, prefix="delassus_math::"):
    """A file with all its faults behind their switches."""
    places = {}
    for mutant in mutants:
        places.setdefault(place(mutant, text), []).append(mutant)
    ends = sorted(places)
    for (_, end), (begin, _) in zip(ends, ends[1:]):
        if begin < end:
            raise Misplaced(f"{crate_file(mutants[0])}: two faults overlap at {text[begin:end]}")
    for begin, end in reversed(ends):
        text = text[:begin] + switched(places[begin, end], text[begin:end], prefix) + text[end:]
    return text


def by_file():
    out = {}
    for mutant in MUTANTS:
        out.setdefault(crate_file(mutant), []).append(mutant)
    return out


def faults_of_the_list():
    """What is wrong with the list; nothing, if every fault can be planted."""
    out = []
    numbers = [m.number for m in MUTANTS]
    if len(set(numbers)) != len(numbers) or min(numbers) < 1:
        out.append("two faults have one number")
    for mutant in MUTANTS:
        if mutant.kind not in (IDENTITY, REFERENCE) or not mutant.text:
            out.append(f"fault {mutant.number}: kind or text")
    for file, mutants in by_file().items():
        try:
            planted((ROOT / file).read_text(), mutants)
        except (Misplaced, OSError) as e:
            out.append(str(e))
    return out


def tracked():
    """Files of the repository, also new ones that are not ignored."""
    done = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    names = [n for n in done.stdout.decode().split("\0") if n]
    return sorted(n for n in names if (ROOT / n).is_file())


def write(path, data):
    """Only if it differs: cargo goes by the times of files."""
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def make_copy(files):
    """The workspace with all faults, each behind its switch."""
    faults, crates = by_file(), {m.file.split("/")[0] for m in MUTANTS}
    for name in files:
        data = (ROOT / name).read_bytes()
        if name in faults:
            prefix = "crate::" if name.startswith("crates/delassus-math/") else "delassus_math::"
            data = planted(data.decode(), faults[name], prefix).encode()
        if name == "crates/delassus-math/src/lib.rs":
            data += SWITCH.encode()
        match = re.fullmatch(r"crates/delassus-(\w+)/Cargo\.toml", name)
        if match and match.group(1) in crates - {"math"} and b"delassus-math.workspace" not in data:
            data = data.replace(b"[dependencies]\n", b"[dependencies]\ndelassus-math.workspace = true\n", 1)
        write(SOURCE / name, data)
    known = {SOURCE / name for name in files}
    for path in SOURCE.rglob("*"):
        if path.is_file() and path not in known:
            path.unlink()


def build():
    command = ["cargo", "build", "--quiet", "--release", "--package", "delassus-cli", "--bin", "delassus", "--target-dir", str(BUILD)]
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True)
    if done.returncode != 0:
        # Parentheses around switches are warned of, many times.
        sys.exit(f"the copy with the faults does not compile:\n{done.stderr[max(done.stderr.find('error'), 0) :]}")
    return BUILD / "release" / "delassus"


def product_hash(files):
    digest = hashlib.sha256()
    for name in files:
        if PRODUCT.match(name):
            digest.update(name.encode() + b"\0" + hashlib.sha256((ROOT / name).read_bytes()).digest())
    return digest.hexdigest()


def key_of(mutant, product):
    return hashlib.sha256(f"{product} {mutant!r}".encode()).hexdigest()[:16]


def verify(binary, chosen, entries, folder, limit, judgement, reached=None):
    """Runs entries with a fault chosen, and takes what they say into account; how long it took. The numbers of the switches that they come to go to a file."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    words = ["nice", "-n", "10", str(binary), "verify", *entries, "--quiet", "--threads", "1", "--results", str(folder), "--out", str(folder)]
    environment = {**os.environ, "DELASSUS_MUTANT": str(chosen), **({"DELASSUS_REACHED": str(reached)} if reached else {})}
    begin = time.monotonic()
    process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said, _ = process.communicate(timeout=limit)
        # 0: passed, 1: failed. Everything else is not meant to happen.
        if process.returncode not in (0, 1) and not (folder / "verification.json").is_file():
            last = (said.strip().splitlines() or [""])[0]
            judgement.ending = f"exit code {process.returncode}: {last[:120]}"
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        judgement.ending = f"stopped after {limit:.0f} s"
    judgement.take(folder, entries)
    return time.monotonic() - begin


def quick_cases():
    """Quick entries by their cases: `verify` runs a case with all its studies."""
    cases = {}
    for entry in SUITE.read_text().split("\n    (\n")[1:]:
        name, case = (re.search(rf'^        {key}: "([^"]+)"', entry, re.MULTILINE) for key in ("name", "case"))
        if "\n        quick: true" in entry:
            cases.setdefault((case or name).group(1), []).append(name.group(1))
    return list(cases.values())


def survey(binary, key):
    """Of each quick case its entries, seconds, and the faults that its runs come to; without a fault all must pass."""
    path = STATE / "reached.json"
    known = read(path)
    if known.get("key") == key:
        return known["cases"]

    def of_case(names):
        folder, judgement = STATE / "runs" / f"0-{names[0]}", Judgement()
        # Beside the folder of results, which `verify` begins anew.
        reached = folder.with_suffix(".reached")
        reached.unlink(missing_ok=True)
        wall = verify(binary, 0, ["--quick", *names], folder, 1200, judgement, reached)
        numbers = sorted({int(n) for n in reached.read_text().split()}) if reached.is_file() else []
        reached.unlink(missing_ok=True)
        shutil.rmtree(folder)
        if judgement.noticed:
            sys.exit(f"without a fault {names[0]} fails: {judgement.own} {judgement.suite} {judgement.ending}")
        return {"entries": names, "wall": wall, "reached": numbers}

    (STATE / "runs").mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        cases = list(pool.map(of_case, quick_cases()))
    path.write_text(json.dumps({"key": key, "cases": cases}, indent=1))
    return cases


def parts_of(mutant, cases):
    """Quick entries that come to a fault, in parts from short ones to long ones, and the seconds of each part."""
    mine = sorted((c for c in cases if mutant.number in c["reached"]), key=lambda c: c["wall"])
    whole, so_far, parts = sum(c["wall"] for c in mine), 0.0, [([], 0.0) for _ in SHARES]
    for case in mine:
        so_far += case["wall"]
        part = sum(so_far > share * whole for share in SHARES[:-1])
        parts[part] = (parts[part][0] + case["entries"], parts[part][1] + case["wall"])
    return parts


def ask_clients(binary, mutant, judgement):
    """Runs client tests with a fault chosen; how long it took."""
    begin = time.monotonic()
    prepared = subprocess.run([str(ROOT / "scripts" / "python-env")], capture_output=True, text=True, check=True)
    words = [*shlex.split(prepared.stdout), "-c", f"import run, sys; run.SUITES = {list(mutant.clients)}; sys.exit(run.main())"]
    environment = {**os.environ, "DELASSUS": str(binary), "DELASSUS_MUTANT": str(mutant.number)}
    done = subprocess.run(words, cwd=Path(__file__).parent, env=environment, capture_output=True, text=True, timeout=600)
    judgement.take_clients(done.stdout)
    return time.monotonic() - begin


def unit_tests(mutant, chosen):
    """Runs the unit tests that the list names, in the copy: how many ran, and the first one that failed."""
    package, target, names = mutant.tests
    where = ["--lib"] if target == "lib" else ["--test", target]
    words = ["nice", "-n", "10", "cargo", "test", "--release", "--no-fail-fast", "--package", package if package == "verification" else f"delassus-{package}", *where, "--target-dir", str(BUILD), "--", names]
    done = subprocess.run(words, cwd=SOURCE, capture_output=True, text=True, env={**os.environ, "DELASSUS_MUTANT": str(chosen)}, timeout=1800)
    counts = re.search(r"^test result: \w+\. (\d+) passed; (\d+) failed", done.stdout, re.MULTILINE)
    if not counts:
        sys.exit(f"the unit tests {mutant.tests} do not run:\n{done.stderr}")
    failed = re.findall(r"^test (\S+) \.\.\. FAILED", done.stdout, re.MULTILINE)
    return sum(map(int, counts.groups())), failed[0] if failed else None


def ask_tests(mutant, judgement):
    """Unit tests have to pass without the fault; how long it took."""
    begin = time.monotonic()
    # One at a time: cargo locks its folder, and a test that waits would count as slow.
    with TESTING:
        ran, failed = unit_tests(mutant, 0)
        if failed or not ran:
            sys.exit(f"without a fault the unit tests {mutant.tests} fail, or there are none")
        failed = unit_tests(mutant, mutant.number)[1]
    if failed:
        judgement.tests[mutant.tests[0]] = failed
    return time.monotonic() - begin


def judge(binary, mutant, cases):
    judgement, seconds = Judgement(), 0.0
    folder = STATE / "runs" / str(mutant.number)
    for names, wall in parts_of(mutant, cases):
        is_enough = judgement.noticed_by_run or (judgement.noticed and mutant.kind == REFERENCE)
        if names and not is_enough:
            seconds += verify(binary, mutant.number, ["--quick", *names], folder, max(60.0, PATIENCE * wall), judgement)
    if mutant.entries and not judgement.noticed:
        seconds += verify(binary, mutant.number, mutant.entries, folder, 600, judgement)
    if mutant.clients and not judgement.noticed:
        seconds += ask_clients(binary, mutant, judgement)
    if mutant.tests and not judgement.noticed:
        seconds += ask_tests(mutant, judgement)
    shutil.rmtree(folder, ignore_errors=True)
    return {**{who: getattr(judgement, who) for who in WHO}, "seconds": round(seconds, 1)}


def describe(mutant, result):
    who = [*result["own"], *(["suite"] if result["suite"] else []), *result["clients"], *result["tests"].values(), result["ending"]]
    return f"{mutant.number:4}  {mutant.text}: {', '.join(filter(None, who)) or 'SURVIVED'} ({result['seconds']:.0f} s)"


def survived(result):
    return not any(result[who] for who in WHO)


def measure(chosen):
    """Judges faults that have no result yet."""
    files = tracked()
    product = product_hash(files)
    path = lambda mutant: RESULTS / f"{mutant.number}.json"
    is_known = lambda mutant: read(path(mutant)).get("key") == key_of(mutant, product)
    missing = [m for m in chosen if not is_known(m)]
    if missing:
        print(f"building the copy with {len(MUTANTS)} faults in {STATE}", flush=True)
        make_copy(files)
        binary = build()
        cases = survey(binary, hashlib.sha256(f"{product} {[m[:6] for m in MUTANTS]!r}".encode()).hexdigest())
        print(f"{len(missing)} faults, {sum(c['wall'] for c in cases):.0f} s each at most, {AT_A_TIME} at a time", flush=True)
        RESULTS.mkdir(parents=True, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            tasks = {pool.submit(judge, binary, m, cases): m for m in missing}
            for task in concurrent.futures.as_completed(tasks):
                mutant, result = tasks[task], task.result()
                # Messages name files by their folder, which is nobody else's.
                told = json.dumps({"key": key_of(mutant, product), **result}, indent=1)
                path(mutant).write_text(told.replace(f"{STATE / 'runs' / str(mutant.number)}/", ""))
                print(describe(mutant, result), flush=True)
    return {m.number: {**NOTHING, **read(path(m))} for m in chosen}


def measured_before():
    """The last results of this folder, or what the data file has of a fault with the same text."""
    told = {(entry["number"], entry["text"]): entry for entry in read(DATA) or []}
    return {m.number: {**NOTHING, **(read(RESULTS / f"{m.number}.json") or told.get((m.number, m.text), UNKNOWN))} for m in MUTANTS}


def conclude(chosen, results):
    """The exit code, with a line for every fault that is not as the list says."""
    wrong, chosen = 0, [m for m in chosen if "unknown" not in results[m.number]]
    for mutant in chosen:
        result = results[mutant.number]
        if survived(result) != bool(mutant.survives):
            wrong += 1
            word = "survived" if survived(result) else "is noticed, and the list says that it survives"
            print(f"fault {mutant.number} {word}: {mutant.text}")
    caught = sum(not survived(results[m.number]) for m in chosen)
    print(f"{caught} of {len(chosen)} faults noticed")
    return 1 if wrong else 0


def main(arguments):
    parser = argparse.ArgumentParser(prog="scripts/mutants")
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args(arguments)
    unknown = set(options.numbers) - {m.number for m in MUTANTS}
    if unknown:
        parser.error(f"no fault has the number {min(unknown)}; the last is {MUTANTS[-1].number}")
    if options.list:
        for m in MUTANTS:
            print(f"{m.number:4}  {m.kind:9}  {m.text} ({m.file})")
        return 0
    problems = faults_of_the_list()
    for problem in problems:
        print(problem, file=sys.stderr)
    if options.check or problems:
        return 1 if problems else 0
    chosen = [m for m in MUTANTS if not options.numbers or m.number in options.numbers]
    if options.table:
        results = measured_before()
    else:
        results = measure(chosen)
    if len(chosen) == len(MUTANTS):
        write_table(ROOT / "docs" / "mutants.md", DATA, MUTANTS, results)
    return conclude(chosen, results)


EXPECTED = 6


def cases(folder):
    """For run.py: the list is sound, and faults are planted and noticed as they are meant."""

    def sound():
        problems = faults_of_the_list()
        assert not problems, "\n".join(problems)
        assert len(MUTANTS) >= 40

    def expressions():
        one, two = MUTANTS[0]._replace(old="f(«a + b»)", new="a - b"), MUTANTS[1]._replace(old="f(«a + b»)", new="a")
        assert planted("f(a + b);", [one]) == "f((if delassus_math::mutant(1) { a - b } else { a + b }));"
        both = "f((if delassus_math::mutant(1) { a - b } else { if delassus_math::mutant(2) { a } else { a + b } }));"
        assert planted("f(a + b);", [one, two]) == both
        own = one._replace(new="a + if {is} { -b } else { b }")
        assert planted("f(a + b);", [own]) == "f(a + if delassus_math::mutant(1) { -b } else { b });"
        statement = one._replace(old="«x += 1;»", new="x -= 1;")
        assert planted("{ x += 1; }", [statement]) == "{ if delassus_math::mutant(1) { x -= 1; } else { x += 1; } }"

    def misplaced():
        mutant = MUTANTS[0]._replace(old="f(«a»)")
        for text in ["f(b)", "f(a) f(a)"]:
            try:
                planted(text, [mutant])
            except Misplaced:
                continue
            raise AssertionError(f"planted in `{text}`")

    def reached_alone():
        mutant = MUTANTS[0]
        case = lambda name, wall, reached: {"entries": [name], "wall": wall, "reached": reached}
        other = mutant.number + 1
        cases = [case("long", 8.0, [mutant.number, other]), case("never", 1.0, [other]), case("short", 1.0, [mutant.number]), case("middle", 3.0, [mutant.number])]
        assert parts_of(mutant, cases) == [(["short"], 1.0), (["middle"], 3.0), (["long"], 8.0)]
        assert sum(map(len, quick_cases())) >= 90 and ["joined"] in quick_cases()

    def told():
        first, second = MUTANTS[0], MUTANTS[1]
        results = {first.number: {**NOTHING, "tests": {"fem": "properties::one"}}, second.number: {**NOTHING, **UNKNOWN}}
        text = table([first, second], results)
        assert f"Not measured yet: {second.number}." in text and "unit test properties::one (fem)" in text and "No fault survives." in text, text
        assert "| identity | 1 | 0 (0 %) | 0 | 1 | 0 |" in text, text
        assert "- 1, " in table([first], {first.number: NOTHING})

    def noticed():
        failed = "was not solved to tolerance 1.0e-10: law error 1.0e-3 after 9 iterations of nlgs (not converged; in the original variables of the laws 1.0e-14)"
        finding = lambda weight, topic: {"weight": weight, "topic": topic, "text": topic}
        runs = {
            "slide": [finding("Failed", "ledger"), finding("Failed", "check"), finding("Note", "effort")],
            "study-1": [finding("Failed", "check"), finding("Doubtful", "rotation")],
        }
        for run, findings in runs.items():
            write(folder / "runs" / run / "manifest.json", json.dumps({"judgement": {"findings": findings}}).encode())
        write(folder / "runs" / "stopped" / "status.json", json.dumps({"state": "failed", "error": failed}).encode())
        entries = [("slide", ["ledger", "check"]), ("study", ["observed order 0.1"]), ("stopped", [f"it did not run to its end: {failed}"]), ("fine", [])]
        entries = [{"name": name, "failures": failures, "passed": not failures} for name, failures in entries]
        write(folder / "verification.json", json.dumps({"entries": entries}).encode())
        judgement = Judgement()
        judgement.take(folder, ["slide"])
        assert judgement.own == {"ledger": ["slide"], "solver": ["stopped"], "certificate": ["stopped"], "verdict: rotation": ["study-1"]}, judgement.own
        # The check of a level of a study does not count.
        assert list(judgement.suite) == ["slide", "study"], judgement.suite

    yield "every fault of the list has its place in the sources", sound
    yield "faults are planted behind their switches", expressions
    yield "a fault whose place is gone or not the only one is refused", misplaced
    yield "only entries that come to a fault are run for it", reached_alone
    yield "the table tells what was not measured", told
    yield "who notices is read from what runs and suite say", noticed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
