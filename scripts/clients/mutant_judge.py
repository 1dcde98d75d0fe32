"""Who noticed a fault: read from what `delassus verify --results` leaves, also of a run that crashed or was stopped on the way.

    own      the run itself: {who: [run, ...]}, who one of solver, certificate, law's statement, balance, audit: CHECK, ledger, verdict: TOPIC, error
    suite    checks against references, and orders of studies: {entry: first failure}
    clients  client tests that failed: {test: first check}
    tests    unit tests that failed: {crate: first test}
    ending   how a call of `verify` ended, if that is not meant to happen
"""

import json
import re

WHO = ("own", "suite", "clients", "tests", "ending")

# Topics of findings (docs/verdict.md) with a name of their own in the table; others are `verdict: TOPIC`.
TOPICS = {"law": "certificate", "ledger": "ledger", "energy_created": "ledger"}

# What a failed step says of itself (Outcome::description).
LAW_ERROR = re.compile(r"law error ([-+.\w]+)")
STATEMENT = re.compile(r"original variables of the laws ([-+.\w]+)")
TOLERANCE = re.compile(r"tolerance ([-+.\w]+)")


# What the audit found (AuditTopic::text), in its finding and in errors.
AUDIT = re.compile(r"(?:its own equations|audit finds).*?\b(contact velocities|contact laws|equation of motion|angular momentum|momentum|point of contact)\b")


def number(pattern, text, default):
    found = pattern.search(text)
    try:
        return float(found.group(1).rstrip(".")) if found else default
    except ValueError:
        return default


def beyond(value, limit):
    """NaN is beyond every limit."""
    return not value <= limit


def of_audit(text):
    found = AUDIT.search(text)
    return [f"audit: {found.group(1)}"] if found else []


def of_error(text):
    """Who stopped a run, from the message of its error."""
    audit = of_audit(text)
    if not LAW_ERROR.search(text):
        return audit or ["error"]
    tolerance, out = number(TOLERANCE, text, 1e-6), audit
    if "not converged" in text:
        out.append("solver")
    if beyond(number(LAW_ERROR, text, 0.0), tolerance + 1e-12):
        out.append("certificate")
    if beyond(number(STATEMENT, text, 0.0), 10.0 * tolerance + 1e-12):
        out.append("law's statement")
    if "out of balance" in text:
        out.append("balance")
    return out or ["error"]


def read(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


class Judgement:
    """What the runs and the suite said of a fault."""

    def __init__(self):
        self.own, self.suite, self.clients, self.tests, self.ending = {}, {}, {}, {}, ""

    @property
    def noticed_by_run(self):
        return bool(self.own)

    @property
    def noticed(self):
        return any(getattr(self, who) for who in WHO)

    def add(self, who, run):
        runs = self.own.setdefault(who, [])
        if run not in runs:
            runs.append(run)

    def take(self, folder, called):
        """Takes the results of a call of `verify` into account; `called` are the entries that were asked for."""
        entries, stopped = read(folder / "verification.json").get("entries", []), set()
        # The checks of a case are made for its own size: those of the levels of a study do not count.
        single = {*called, *(entry["name"] for entry in entries)}
        for run in sorted((folder / "runs").glob("*")):
            judgement = read(run / "manifest.json").get("judgement") or {}
            for finding in judgement.get("findings", []):
                topic = finding.get("topic", "?")
                if finding.get("weight") == "Note":
                    continue
                if topic == "check" and run.name in single:
                    self.suite.setdefault(run.name, finding.get("text", ""))
                elif topic == "audit":
                    self.add((of_audit(finding.get("text", "")) or ["audit"])[0], run.name)
                elif topic != "check":
                    self.add(TOPICS.get(topic, f"verdict: {topic}"), run.name)
            status = read(run / "status.json")
            error = status.get("error")
            if status.get("state") == "failed" and error:
                stopped.add(run.name)
                for who in of_error(error if isinstance(error, str) else json.dumps(error)):
                    self.add(who, run.name)
        for entry in entries:
            self.take_entry(entry, stopped)

    def take_clients(self, said):
        """Takes what run.py printed into account."""
        for test, check in re.findall(r"^FAILED (\w+): (.*)$", said, re.MULTILINE):
            self.clients.setdefault(test, check)

    def take_entry(self, entry, stopped):
        """Failures of an entry that are not those of one run: a run that did not begin, an order, a bound."""
        name, failures = entry["name"], entry.get("failures", [])
        # The runs of a study have the numbers of its levels.
        is_its = re.compile(re.escape(name) + r"(-\d+)?").fullmatch
        for failure in failures:
            _, _, error = failure.partition("did not run to its end: ")
            if error and not any(map(is_its, stopped)):
                for who in of_error(error):
                    self.add(who, name)
            elif failure.startswith("observed order") or ", bound " in failure:
                self.suite.setdefault(name, failure)
        # An entry that failed for a reason not known here has failed all the same.
        is_known = name in self.suite or any(any(map(is_its, runs)) for runs in self.own.values())
        if failures and not entry.get("passed") and not is_known:
            self.suite[name] = failures[0]
