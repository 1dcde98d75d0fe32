"""The table of docs/mutants.md, and the same as data."""

import json

from mutant_judge import WHO

# A result in which nobody noticed, and one of a fault that was never measured.
NOTHING = {**{who: {} for who in WHO}, "ending": ""}
UNKNOWN = {"unknown": True}

BEGIN, END = "<!-- made by scripts/mutants -->", "<!-- to here -->"

# Names of runs in a cell.
SHOWN = 2


def names(runs):
    more = len(runs) - SHOWN
    return ", ".join(runs[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def by_run(result):
    parts = [f"{who} ({names(runs)})" for who, runs in result["own"].items()]
    return "; ".join(parts + ([result["ending"]] if result["ending"] else [])) or "–"


def by_suite(result):
    others = [*[f"client test {test}" for test in result["clients"]], *[f"unit test {test} ({crate})" for crate, test in result["tests"].items()]]
    return ", ".join([*([names(list(result["suite"]))] if result["suite"] else []), *others]) or "–"


def is_caught(result):
    return any(result[who] for who in WHO)


def row(mutant, result):
    crate = mutant.file.split("/")[0]
    verdict = "not measured" if "unknown" in result else "noticed" if is_caught(result) else "**survives**"
    cells = [str(mutant.number), mutant.text, f"`{crate}`", mutant.kind, by_run(result), by_suite(result), verdict]
    return "| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |"


def counts(mutants, results):
    lines = ["| visible to | faults | noticed by the run itself | by the suite alone | by client or unit tests alone | survive |", "|---|---|---|---|---|---|"]
    for kind in ["identity", "reference"]:
        own = [results[m.number] for m in mutants if m.kind == kind]
        run = sum(bool(r["own"]) for r in own)
        tests = sum(bool(r["clients"] or r["tests"]) and not (r["own"] or r["suite"] or r["ending"]) for r in own)
        caught = sum(map(is_caught, own))
        share = f"{run} ({100 * run / max(len(own), 1):.0f} %)"
        lines.append(f"| {kind} | {len(own)} | {share} | {caught - run - tests} | {tests} | {len(own) - caught} |")
    return lines


def survivors(mutants, results):
    left = [m for m in mutants if not is_caught(results[m.number])]
    if not left:
        return ["No fault survives."]
    return ["Survivors:", "", *[f"- {m.number}, {m.text}: {m.survives or 'not yet explained'}." for m in left]]


def table(mutants, results):
    head = ["| № | fault | crate | visible to | noticed by the run (in) | checks of the suite that fail | |", "|---|---|---|---|---|---|---|"]
    rows = [row(m, results[m.number]) for m in mutants]
    known = [m for m in mutants if "unknown" not in results[m.number]]
    missing = [str(m.number) for m in mutants if m not in known]
    told = [f"Not measured yet: {', '.join(missing)}.", ""] if missing else []
    return "\n".join([*counts(known, results), "", *survivors(known, results), "", *told, *head, *rows])


def write_table(page, data, mutants, results):
    """Replaces the part of the page between its marks, and writes the data."""
    text = page.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    page.write_text(f"{text[:begin]}\n\n{table(mutants, results)}\n\n{text[end:]}")
    entry = lambda m: {
        "number": m.number, "text": m.text, "kind": m.kind, "file": f"crates/delassus-{m.file}",
        **{who: results[m.number][who] for who in WHO},
    }
    data.write_text(json.dumps([entry(m) for m in mutants if "unknown" not in results[m.number]], indent=1, ensure_ascii=False) + "\n")
