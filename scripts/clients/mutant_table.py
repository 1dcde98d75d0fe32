"""The table of docs/mutants.md, and the same as data."""

import json

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
    clients = [f"client test {test}" for test in result["clients"]]
    return ", ".join([*([names(list(result["suite"]))] if result["suite"] else []), *clients]) or "–"


def is_caught(result):
    return bool(result["own"] or result["suite"] or result["clients"] or result["ending"])


def row(mutant, result):
    crate = mutant.file.split("/")[0]
    verdict = "noticed" if is_caught(result) else "**survives**"
    cells = [str(mutant.number), mutant.text, f"`{crate}`", mutant.kind, by_run(result), by_suite(result), verdict]
    return "| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |"


def counts(mutants, results):
    lines = ["| visible to | faults | noticed by the run itself | by the suite alone | by client tests alone | survive |", "|---|---|---|---|---|---|"]
    for kind in ["identity", "reference"]:
        own = [m for m in mutants if m.kind == kind]
        run = sum(bool(results[m.number]["own"]) for m in own)
        clients = sum(list(filter(results[m.number].get, ("own", "suite", "clients", "ending"))) == ["clients"] for m in own)
        caught = sum(is_caught(results[m.number]) for m in own)
        share = f"{run} ({100 * run / max(len(own), 1):.0f} %)"
        lines.append(f"| {kind} | {len(own)} | {share} | {caught - run - clients} | {clients} | {len(own) - caught} |")
    return lines


def survivors(mutants, results):
    left = [m for m in mutants if not is_caught(results[m.number])]
    if not left:
        return ["No fault survives."]
    return ["Survivors:", "", *[f"- {m.number}, {m.text}: {m.survives or 'not yet explained'}." for m in left]]


def table(mutants, results):
    head = ["| № | fault | crate | visible to | noticed by the run (in) | checks of the suite that fail | |", "|---|---|---|---|---|---|---|"]
    rows = [row(m, results[m.number]) for m in mutants]
    return "\n".join([*counts(mutants, results), "", *survivors(mutants, results), "", *head, *rows])


def write_table(page, data, mutants, results):
    """Replaces the part of the page between its marks, and writes the data."""
    text = page.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    page.write_text(f"{text[:begin]}\n\n{table(mutants, results)}\n\n{text[end:]}")
    entry = lambda m: {
        "number": m.number, "text": m.text, "kind": m.kind, "file": f"crates/delassus-{m.file}",
        **{k: results[m.number][k] for k in ("own", "suite", "clients", "ending")},
    }
    data.write_text(json.dumps([entry(m) for m in mutants], indent=1, ensure_ascii=False) + "\n")
