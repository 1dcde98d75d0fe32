"""What the soak checks of a run: how it ended, whether its files are whole, and whether its verdict is honest.

Everything here is computed from files that the run left, by code that shares nothing with the program. What may end a run, and where the verdict must turn,
is read from the pages that promise it: docs/errors.md and docs/verdict.md.
"""

import json
import re

import numpy as np

from support import ROOT, Frame, History, read_pvd


def documented_exits():
    """Exit codes of docs/errors.md."""
    text = (ROOT / "docs/errors.md").read_text()
    table = text.split("## Exit codes")[1].split("\n## ")[0]
    return {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}


def documented_errors():
    """Error codes of docs/errors.md."""
    return set(re.findall(r"\bE\d{4}\b", (ROOT / "docs/errors.md").read_text()))


def ledger_limit():
    """Relative residual of the ledger beyond which no run passes, from docs/verdict.md."""
    row = next(line for line in (ROOT / "docs/verdict.md").read_text().splitlines() if line.startswith("| `ledger`"))
    return float(re.findall(r"above (\S+)", row)[-1])


EXITS, ERRORS, LEDGER = documented_exits(), documented_errors(), ledger_limit()
# An error of the program itself is documented, and still a failure.
FAULT = 70
# Rounding of figures that are computed again from seventeen digits.
ROUNDING = 1e-9
# The ledger is seen here against the sums of its columns. The program sums body by body and contact by contact, so its scale is larger, seldom by more.
SLACK = 10.0
# Energy from nowhere, relative to all energy there was: beyond 1 % no run passes; twice that, because losses may cover a part.
CREATED = 0.02
# Depth in floors beyond which a verdict must tell, in largest facets (docs/verdict.md: half a facet).
DEEP = 0.6
# Sizes of the model that a body may move, twice what docs/verdict.md allows: there the size counts the obstacles too.
LOST = 20.0
# How often its size a body may be on the way.
GROWN = 2.0
# Strain of a cell beyond which linear kinematics must be doubted (docs/verdict.md: 50 % at the centre; frames have means of cells).
STRAINED = 1.0


def judge_end(ended, allowed_signals=()):
    """(kind, text) of everything wrong with how a process ended."""
    code, said = ended.code, ended.stderr
    if "panicked at" in said:
        yield "panic", said[-600:]
    if ended.not_heard:
        yield "not heard", f"alive {ended.not_heard:.0f} s after SIGTERM"
        return
    if code < 0:
        if -code not in allowed_signals:
            yield "death by signal", f"signal {-code}: {said[-300:]}"
        return
    if code == 127 and "error while loading shared libraries" in said:
        # The limits left no room for the program itself.
        return
    if code not in EXITS:
        yield "undocumented exit", f"exit code {code}: {said[-300:]}"
    if code == FAULT:
        yield "fault", said[-600:]
    if code not in (0, 1):
        named = re.findall(r"error\[(E\d{4})\]", said)
        if not named:
            yield "error without code", f"exit code {code}: {said[-300:]!r}"
        yield from (("unknown error code", name) for name in named if name not in ERRORS)


class Results:
    """A results folder of a finished run."""

    def __init__(self, folder):
        self.folder = folder
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.history = History(folder / "history.csv")
        self.word = self.manifest["judgement"]["word"]
        self.frames = {}
        for name in ("fields", "contacts", "obstacles"):
            path = folder / f"{name}.pvd"
            if path.exists():
                self.frames[name] = [(time, Frame(file), file) for time, file in read_pvd(path)]

    @property
    def fields(self):
        return self.frames["fields"]


def files_are_whole(r):
    """No file is missing, left over or of another run."""
    left = [p.name for p in r.folder.rglob("*") if p.suffix in (".part", ".tmp", ".ckpt") or p.name == "checkpoints"]
    if left:
        yield "left over", f"{left}"
    for name, frames in r.frames.items():
        listed = {file.name for _, _, file in frames}
        there = {p.name for p in (r.folder / name).iterdir()}
        if listed != there:
            yield "broken files", f"{name}.pvd lists {len(listed)} files, {len(there)} are there"
        wrong = [file.name for time, frame, file in frames if frame.time != time]
        if wrong:
            yield "broken files", f"{wrong}: not the time of the collection"
    m, h = r.manifest, r.history
    same = {
        "steps": (m["steps"], len(h) - 1),
        "time": (m["time"], h["time"][-1]),
        "dofs": (m["dofs"], len(r.fields[0][1].points) * (3 if "momentum_z" in h.names else 2)),
        "last frame": (r.fields[-1][0], h["time"][-1]),
        "law error": (m["verdict"]["law_error"], h["law_error"].max()),
        "ledger": (m["verdict"]["energy_residual"], h["energy_residual"].max()),
        "penetration": (m["verdict"]["max_penetration"], h["max_penetration"].max()),
    }
    for name, (told, found) in same.items():
        if not np.array_equal(_number(told), found, equal_nan=True):
            yield "manifest", f"{name}: {told!r} in the manifest, {found!r} in the files"
    if not np.all(np.diff(h["time"]) > 0):
        yield "broken files", "the times of the history do not ascend"


def verdict_is_honest(r, scene):
    """A run that passes must stand what is computed here."""
    weights = [f["weight"] for f in r.manifest["judgement"]["findings"]]
    heaviest = next((w for w in ("Failed", "Doubtful") if w in weights), "Pass")
    if r.word != heaviest:
        yield "manifest", f"the verdict is {r.word}, the heaviest finding {heaviest}"
    checks = [finite, ledger, creation, kinetic, momentum, places, growth, floors]
    for check in checks:
        for kind, text in check(r, scene):
            if r.word == "Pass" or kind in ALWAYS:
                yield kind, text


# Wrong whatever the verdict is: such numbers must not be written at all, or be those of the frames.
ALWAYS = {"not finite", "kinetic energy", "bodies"}


def finite(r, scene):
    both = {c["name"] for c in scene.case["contacts"] if c.get("both")}
    for name in r.history.names:
        # With two passes areas mean nothing and are not numbers; a body in flight has inertia and no internal forces (docs/case-format.md).
        if name.rsplit(".", 1)[0] in both:
            continue
        values = r.history[name]
        if ".centre_" in name:
            # Where nothing touches, contacts have no centre.
            values = values[~np.isnan(values)]
        if not (np.isfinite(values) | (np.isposinf(values) & (name == "inertia_ratio"))).all():
            yield "not finite", f"history.csv: {name}"
    for kind, frames in r.frames.items():
        for _, frame, file in frames:
            bad = [name for name, values in frame.arrays().items() if not np.isfinite(values).all()]
            if bad or not np.isfinite(frame.points).all():
                yield "not finite", f"{kind}/{file.name}: {bad}"
                return


def _column(h, name):
    return h[name] if name in h.names else np.zeros(len(h))


def _number(x):
    """A number of the manifest, where NaN has no other form than null."""
    return float("nan") if x is None else x


def _energies(h):
    stored = h["kinetic_energy"] + h["elastic_energy"] + _column(h, "bond_energy") + _column(h, "spring_energy")
    external = h["external_work"]
    losses = sum(_column(h, n) for n in ("viscous_dissipation", "plastic_dissipation", "friction_dissipation", "damage_dissipation", "numerical_dissipation", "spin_dissipation", "joint_work", "energy_remainder"))
    return stored, external, losses


def _turned_over(column):
    return np.concatenate([[0.0], np.cumsum(np.abs(np.diff(column)))])


def ledger(r, scene):
    """E(t) = E(0) + work − losses, from the columns; the scale is what all of them have moved."""
    h = r.history
    stored, external, losses = _energies(h)
    residual = np.abs(stored - (stored[0] + external + h["contact_work"] - losses))
    lines = ("external_work", "viscous_dissipation", "plastic_dissipation", "friction_dissipation", "damage_dissipation", "contact_work", "numerical_dissipation", "spin_dissipation", "joint_work", "energy_remainder")
    scale = np.maximum(np.maximum.accumulate(np.abs(stored)), sum(_turned_over(_column(h, n)) for n in lines))
    relative = np.where(scale > 0, residual / np.where(scale > 0, scale, 1.0), 0.0).max()
    if relative > SLACK * LEDGER:
        yield "dishonest: ledger", f"{relative:.2e} of the energies; the manifest says {r.manifest['verdict']['energy_residual']:.2e}"
    # Columns that cancel each other may be any number of times the energy there is; what is left over must still be small beside that.
    real = np.maximum(np.maximum.accumulate(np.abs(stored)), _turned_over(external))
    hidden = np.where(real > 0, residual / np.where(real > 0, real, 1.0), 0.0).max()
    if hidden > CREATED:
        yield "dishonest: ledger beside the energy", f"{hidden:.2e} of the energy that was there; the manifest says {r.manifest['verdict']['energy_residual']:.2e}"


def creation(r, scene):
    """Energy above what was there and what loads, supports and obstacles put in."""
    stored, external, _ = _energies(r.history)
    scale = max(np.abs(stored).max(), np.abs(np.diff(external, prepend=0.0)).sum())
    gained = (stored - stored[0] - external).max()
    if scale > 0 and gained > CREATED * scale:
        k = int(np.argmax(stored - stored[0] - external))
        yield "dishonest: energy created", f"{gained / scale:.2e} of the largest energy by row {k}: {stored[0]:.3e} J, work {external[k]:.3e} J, then {stored[k]:.3e} J"


def _volumes(frame):
    """Area or volume of every cell, by its corners; exact for cells with parallel faces, which those of blocks are."""
    x = frame.points
    out = np.zeros(len(frame.cells))
    for i, (kind, c) in enumerate(zip(frame.types, frame.cells)):
        p = x[c]
        if kind == 5:
            out[i] = 0.5 * np.linalg.norm(np.cross(p[1] - p[0], p[2] - p[0]))
        elif kind == 9:
            out[i] = 0.5 * np.linalg.norm(np.cross(p[2] - p[0], p[3] - p[1]))
        elif kind == 10:
            out[i] = abs(np.dot(np.cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0])) / 6
        elif kind == 12:
            out[i] = abs(np.dot(np.cross(p[1] - p[0], p[3] - p[0]), p[4] - p[0]))
        elif kind == 13:
            out[i] = abs(np.dot(np.cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0])) / 2
    return out


def _bodies(frame):
    return np.asarray(frame.cell_data["body"]).astype(int)


def kinetic(r, scene):
    """Σ ½ m v² of the frames, with masses of the case, against the history."""
    first = r.fields[0][1]
    bodies = _bodies(first)
    if len(set(bodies)) != len(scene.bodies):
        yield "bodies", f"{len(set(bodies))} bodies in the frames, {len(scene.bodies)} in the case"
        return
    if not all(lumped for _, _, lumped in scene.bodies):
        return
    density = np.array([d * t for d, t, _ in scene.bodies])[bodies]
    share = density * _volumes(first) / np.array([len(c) for c in first.cells])
    mass = np.zeros(first.n_points)
    for c, m in zip(first.cells, share):
        mass[c] += m
    times = {t: k for k, t in enumerate(r.history["time"])}
    scale = r.history["kinetic_energy"].max()
    for time, frame, file in r.fields:
        v = frame.point_data["velocity"]
        found, told = 0.5 * mass @ (v**2).sum(axis=1), r.history["kinetic_energy"][times[time]]
        if abs(found - told) > ROUNDING * scale:
            yield "kinetic energy", f"{file.name}: {found:.9e} J from the velocities, {told:.9e} J in the history"
            return


def momentum(r, scene):
    """Bodies that nothing touches but each other keep their momentum."""
    if not scene.momentum_is_kept:
        return
    first = r.fields[0][1]
    weights = np.array([d * t for d, t, _ in scene.bodies])[_bodies(first)]
    mass = float(weights @ _volumes(first))
    scale = np.sqrt(2 * mass * r.history["kinetic_energy"].max())
    for axis in "xyz":
        if f"momentum_{axis}" in r.history.names and scale > 0:
            p = r.history[f"momentum_{axis}"]
            lost = np.abs(p - p[0]).max() / scale
            if lost > 1e-6:
                yield "dishonest: momentum", f"momentum_{axis} changes by {lost:.2e} of what the bodies have, with no force from outside"


def _nodes_of(frame):
    """Nodes of each body."""
    bodies = _bodies(frame)
    return [np.unique(np.concatenate([frame.cells[i] for i in np.flatnonzero(bodies == b)])) for b in sorted(set(bodies))]


def places(r, scene):
    """A body far away from everything is lost."""
    first, last = r.fields[0][1], r.fields[-1][1]
    size = np.linalg.norm(np.ptp(first.points, axis=0))
    for b, nodes in enumerate(_nodes_of(first)):
        way = np.linalg.norm(last.point_data["displacement"][nodes].mean(axis=0))
        if way > LOST * size and not scene.case["obstacles"]:
            yield "dishonest: lost body", f"body {b} has moved by {way / size:.1f} sizes of all bodies"


def growth(r, scene):
    """A body that is several times as large as it was, or strained by more than one, is no result of small strains.

    Bodies whose geometry moves along may flow, and parts of a body that is split may part.
    """
    first = r.fields[0][1]
    moves = any("kinematics" in b for b in scene.case["bodies"])
    parts = any("split" in b for b in scene.case["bodies"])
    for _, frame, file in r.fields:
        strain = np.abs(frame.cell_data["strain"]).max()
        if strain > STRAINED and not moves:
            yield "dishonest: strain", f"{file.name}: a cell is strained by {strain:.2e}"
            return
        for b, nodes in enumerate(() if moves or parts else _nodes_of(first)):
            x = frame.points[nodes]
            before, now = np.ptp(x, axis=0).max(), np.ptp(x + frame.point_data["displacement"][nodes], axis=0).max()
            if now > GROWN * before:
                yield "dishonest: body grown", f"{file.name}: body {b} is {now / before:.2e} times as large as it was"
                return


def floors(r, scene):
    """Nothing goes deep into flat ground that its lower side may touch."""
    names = [b["name"] for b in scene.case["bodies"]]
    first = r.fields[0][1]
    for body, height, facet in scene.floors:
        allowed = max(c.get("initial_penetration", 0.0) for c in scene.case["contacts"])
        nodes = _nodes_of(first)[names.index(body)]
        for _, frame, file in r.fields:
            lowest = (frame.points[nodes] + frame.point_data["displacement"][nodes])[:, scene.up].min()
            if height - lowest > DEEP * facet + allowed:
                yield "dishonest: penetration", f"{file.name}: `{body}` is {height - lowest:.3e} m in its floor, its largest facet there has {facet:.3e} m"
                return


def examine(folder, scene):
    """Everything wrong with the results of a run that came to its end; its verdict, and the topics that decided it."""
    try:
        r = Results(folder)
    except Exception as e:  # Whatever a reader objects to is a finding about the file.
        return [("broken files", f"{type(e).__name__}: {e}")], None, []
    reasons = {f"{f['weight']}: {f['topic']}" for f in r.manifest["judgement"]["findings"] if f["weight"] != "Note"}
    return [*files_are_whole(r), *verdict_is_honest(r, scene)], r.word, sorted(reasons)


def contents(folder):
    """Every file of a run that has no wall times in it; checkpoints come and go."""
    skip = {"manifest.json", "run.log", "report.html", "lock"}
    files = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in skip and p.parent.name != "checkpoints"]
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


def same_results(straight, other):
    """Two runs of one case left the same bytes, and manifests that differ in times and threads alone."""
    a, b = contents(straight), contents(other)
    if a.keys() != b.keys():
        yield "bits", f"files of one run alone: {sorted(a.keys() ^ b.keys())[:6]}"
    changed = [name for name in a.keys() & b.keys() if a[name] != b[name]]
    if changed:
        yield "bits", f"other bytes in {sorted(changed)[:6]}"
    manifests = [json.loads((f / "manifest.json").read_text()) if (f / "manifest.json").exists() else {} for f in (straight, other)]
    for m in manifests:
        m.pop("timings_s", None), m.pop("threads", None)
    if manifests[0] != manifests[1]:
        yield "bits", f"manifests differ in {[k for k in manifests[0] if manifests[0][k] != manifests[1].get(k)]}"
