"""scripts/paraview/open_results.py in a real ParaView, without a screen: pictures of whole runs, and its refusals. The state file of `delassus view`, opened.

Every picture is compared with the .vtu files and history.csv, which are read here by other code: the colour of the pixel in
the middle of each cell must be that of the cell's stress, so the bodies are where they must be, at the right time, warped
as asked. Of bodies in space these are the faces that no other face hides, in any light. The pictures go to the folder DELASSUS_SCREENSHOTS, if that is set.
"""

import functools
import json
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

from support import ROOT, Frame, History, close, read_pvd, run_case, tool

CASES = ["bars-impact", "blocks-gmsh", "cylinder-impact", "bars-impact-3d", "block-slide-3d"]
MACRO = ROOT / "scripts" / "paraview" / "open_results.py"
PACKAGES = ["paraview", "python3-paraview", "xvfb", "libgl1-mesa-dri"]

WIDTH, HEIGHT = 900, 500
# The colours of report.html, and of the arrows.
STOPS = np.array([(252, 249, 222), (196, 226, 178), (104, 188, 188), (42, 134, 184), (38, 74, 148), (14, 20, 72)])
ARROW = np.array([214, 54, 5])
# Light on what is turned away from it.
DARKEST = 0.78


@functools.lru_cache(maxsize=None)
def find():
    """Path of pvpython; ParaView is installed first when it is missing and we may."""
    given = os.environ.get("PVPYTHON")
    path = shutil.which(given or "pvpython")
    if given and not path:
        raise SystemExit(f"PVPYTHON is `{given}`, which is not a program")
    if path and shutil.which("Xvfb"):
        return path
    if os.geteuid() == 0 and shutil.which("apt-get"):
        packages = PACKAGES[2:] if path else PACKAGES
        print(f"  installing {' '.join(packages)}", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            done = subprocess.run(["apt-get", *command], capture_output=True, text=True, env=environment)
        path = path or shutil.which("pvpython")
        if done.returncode != 0 or not path:
            raise SystemExit(f"apt-get could not install {' '.join(packages)}:\n{done.stderr}")
    # Without Xvfb: a pvpython that draws without an X server does not need it, another one says so.
    if not path:
        raise SystemExit(
            "the ParaView test needs pvpython: install ParaView 5.11 or later (on Debian and Ubuntu the packages "
            f"{' '.join(PACKAGES)}), or set PVPYTHON to the path of pvpython"
        )
    return path


def pvpython(*arguments):
    """Runs a script, where it can on an X server of its own."""
    environment = dict(os.environ)
    if shutil.which("Xvfb"):
        environment.pop("DISPLAY", None)
    return subprocess.run([find(), *map(str, arguments)], capture_output=True, text=True, timeout=300, env=environment)


def macro(*arguments):
    return pvpython(MACRO, *arguments)


class Shot:
    """A frame of a run as ParaView shows it, and as it is in the files."""

    def __init__(self, run, frame, *options, picture=True):
        self.run, self.frame, self.path = run, frame, None
        if picture:
            self.path = run.folder.parent / f"{run.folder.name}-{frame}.png"
            options = ("--picture", self.path, "--size", f"{WIDTH}x{HEIGHT}", *options)
        self.done = macro(run.folder, "--describe", *options)

    @functools.cached_property
    def told(self):
        assert self.done.returncode == 0, f"exit code {self.done.returncode}\n{self.done.stderr}"
        assert not self.done.stderr, f"on stderr: {self.done.stderr}"
        return json.loads(self.done.stdout)

    @functools.cached_property
    def pixels(self):
        """Rows from the bottom, as in the plane."""
        assert self.told and self.path.is_file(), "no picture"
        reader = vtkPNGReader()
        reader.SetFileName(str(self.path))
        reader.Update()
        image = reader.GetOutput()
        assert image.GetDimensions() == (WIDTH, HEIGHT, 1), image.GetDimensions()
        scalars = vtk_to_numpy(image.GetPointData().GetScalars())
        return scalars.reshape(HEIGHT, WIDTH, -1)[:, :, :3].astype(int)

    @functools.cached_property
    def file(self):
        return Frame(self.run.fields[self.frame][1])


class Run:
    """A case and the pictures of it: its beginning and the frame with the largest contact forces, this also without one."""

    def __init__(self, case, folder):
        self.folder = folder / case
        run_case(ROOT / "cases" / f"{case}.ron", self.folder)
        self.fields = read_pvd(self.folder / "fields.pvd")
        history = History(self.folder / "history.csv")
        self.active = dict(zip(history["time"], history["active_contacts"]))
        self.contacts = [Frame(path) for _, path in read_pvd(self.folder / "contacts.pvd")]
        force = [np.linalg.norm(c.point_data["force"], axis=1).sum() for c in self.contacts]
        self.busy = int(np.argmax(force))
        assert force[self.busy] > 0.0, "a run without contact is no test"

    def shoot(self, pool):
        """All at once: ParaView takes seconds to start."""
        time = repr(self.fields[self.busy][0])
        self.begin = pool.submit(Shot, self, 0, "--frame", "0")
        self.middle = pool.submit(Shot, self, self.busy, "--time", time, "--scale", "auto")
        self.bare = pool.submit(Shot, self, self.busy, "--frame", str(self.busy), "--field", "stress:XX", picture=False)

    def pictures(self):
        return [self.begin.result(), self.middle.result()]

    def shots(self):
        return [*self.pictures(), self.bare.result()]


def frame_and_title(run):
    title = json.loads((run.folder / "manifest.json").read_text())["title"]
    for shot in run.shots():
        assert shot.told["title"] == title
        assert (shot.told["frame"], shot.told["frames"]) == (shot.frame, len(run.fields))
        assert shot.told["time"] == run.fields[shot.frame][0] == shot.file.time


def bodies_are_warped(run):
    """Bounds as ParaView's filter has them; positions of the filter are the file's sums up to round-off."""
    for shot in run.shots():
        x = shot.file.points + shot.told["scale"] * shot.file.point_data["displacement"]
        size = np.ptp(shot.file.points, axis=0).max()
        bounds = [f(x[:, i]) for i in range(shot.told["dimension"]) for f in (np.min, np.max)]
        close("bounds", shot.told["bounds"], bounds, 1e-14 * size)
        assert shot.told["cells"] == shot.file.n_cells
    begin, middle, bare = (shot.told for shot in run.shots())
    points = run.begin.result().file.points
    bounds = [f(points[:, i]) for i in range(begin["dimension"]) for f in (np.min, np.max)]
    assert begin["scale"] == bare["scale"] == 1.0 and begin["bounds_undeformed"] == bounds
    assert middle["scale"] == middle["scale_offered"] == bare["scale_offered"] >= 1.0
    # Within the box that the camera shows, over the whole run.
    run_box, box = (np.reshape(middle[name], (-1, 2)) for name in ("bounds_of_run", "bounds"))
    assert (run_box[:, 0] <= box[:, 0]).all() and (box[:, 1] <= run_box[:, 1]).all()


def ranges_of_the_field(run):
    frames = [Frame(path) for _, path in run.fields]
    for shot in run.shots():
        bare = shot.told["field"] == "stress:XX"
        values = [f.cell_data["stress"][:, 0] if bare else f.cell_data["von_mises"] for f in frames]
        of_run = [min(v.min() for v in values), max(v.max() for v in values)]
        now = values[shot.frame]
        assert shot.told["range_of_run"] == of_run, f"{shot.told['range_of_run']}, {of_run}"
        assert shot.told["range"] == [now.min(), now.max()], shot.told["range"]


def an_arrow_for_every_active_contact(run):
    for shot in run.shots():
        assert shot.told["arrows"] == run.active[shot.told["time"]], shot.told["arrows"]
    force = max(np.linalg.norm(c.point_data["force"], axis=1).max(initial=0.0) for c in run.contacts)
    close("largest force", run.begin.result().told["largest_force"] / force, 1.0, 1e-15)
    # Red is nothing but arrows: none at the start, a visible patch each later.
    red = [np.count_nonzero(np.abs(s.pixels - ARROW).sum(axis=2) < 30) for s in run.pictures()]
    assert red[0] == 0 and red[1] >= 100, red


def pixels_of(told, points):
    """Where points are in the picture, rows from the bottom, and how near to the viewer they are."""
    seen = np.asarray(points) @ np.array(told["axes"]).T
    at = (seen[..., :2] - told["focus"]) * told["pixels_per_metre"] + [WIDTH / 2, HEIGHT / 2]
    return at, seen[..., 2] * told["pixels_per_metre"]


# Faces of a hexahedron, counter-clockwise seen from outside.
HEXAHEDRON = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]


def outer_faces(file):
    """Corners and cell of every face that only one hexahedron has."""
    assert set(file.types) == {12}, "this test knows hexahedra"
    faces = [([cell[k] for k in face], i) for i, cell in enumerate(file.cells) for face in HEXAHEDRON]
    count = {}
    for nodes, _ in faces:
        key = tuple(sorted(nodes))
        count[key] = count.get(key, 0) + 1
    return [(nodes, i) for nodes, i in faces if count[tuple(sorted(nodes))] == 1]


def faces_in_view(told, file):
    """(middle in the picture, cell) of the faces that look at the viewer and that no other one hides there."""
    x = file.points + told["scale"] * file.point_data["displacement"]
    at, near = pixels_of(told, x)
    faces = [(np.array(nodes), i) for nodes, i in outer_faces(file)]

    def turn(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    front = [(nodes, i) for nodes, i in faces if turn(*at[nodes[:3]]) + turn(*at[nodes[[0, 2, 3]]]) > 0.0]
    for nodes, i in front:
        middle, depth = at[nodes].mean(axis=0), near[nodes].mean()
        hidden = False
        for other, _ in front:
            corners = at[other]
            inside = all(turn(corners[k], corners[(k + 1) % 4], middle) > 0.0 for k in range(4))
            if other is not nodes and inside:
                # The plane through the corners, by least squares.
                plane = np.linalg.lstsq(np.c_[corners, np.ones(4)], near[other], rcond=None)[0]
                hidden = hidden or plane @ [*middle, 1.0] > depth + 1e-6
        if not hidden:
            yield middle, i


def cells_have_the_colour_of_their_stress(run):
    """At the pixel in the middle of each cell. Arrows cover some cells, and lines of the mesh cut through small ones."""
    for shot in run.pictures():
        told, file = shot.told, shot.file
        in_space = told["dimension"] == 3
        if in_space:
            at, cells = zip(*faces_in_view(told, file))
            # Three sides of a box are seen from its corner.
            assert len(cells) >= 3
        else:
            x = file.points + told["scale"] * file.point_data["displacement"]
            at, _ = pixels_of(told, [x[cell].mean(axis=0) for cell in file.cells])
            cells = range(file.n_cells)
        column, row = np.floor(at).astype(int).T
        assert column.min() >= 0 and column.max() < WIDTH and row.min() >= 0 and row.max() < HEIGHT, "out of the picture"
        part = file.cell_data["von_mises"][list(cells)] / told["range_of_run"][1] * (len(STOPS) - 1)
        expected = np.stack([np.interp(part, np.arange(len(STOPS)), STOPS[:, i]) for i in range(3)], axis=1)
        found = shot.pixels[row, column]
        if in_space:
            # Light is a factor; the one that fits best, within what the macro allows.
            light = (found * expected).sum(axis=1) / (expected * expected).sum(axis=1)
            expected = expected * np.clip(light, DARKEST, 1.0)[:, None]
        off = np.abs(found - expected).max(axis=1)
        share = np.mean(off <= 6)
        assert share >= 0.7, f"only {share:.0%} of the cells have their colour, frame {shot.frame}"


def the_whole_scene_is_in_view(run):
    """All corners of the box around the whole run, with the arrows: inside the picture, and filling it along one direction."""
    for shot in run.pictures():
        told = shot.told
        boxes = np.array(told["bounds_in_picture"]).reshape(2, 2)
        at = (boxes.T - told["focus"]) * told["pixels_per_metre"] + [WIDTH / 2, HEIGHT / 2]
        assert (at >= 0).all() and (at <= [WIDTH, HEIGHT]).all(), at
        assert (np.ptp(at, axis=0) / [WIDTH, HEIGHT]).max() > 0.6, at
        axes = np.array(told["axes"])
        close("axes", axes @ axes.T, np.eye(3), 1e-14)
        low_high = np.reshape(told["bounds"], (-1, 2))
        if told["dimension"] == 2:
            close("plane", axes, np.eye(3), 0.0)
            continue
        # From above, and no side edge on.
        assert axes[2, 1] > 0.3 and np.abs(axes[2]).min() > 0.3 and np.linalg.det(axes) > 0.0, axes
        corners = [[low_high[k][i >> k & 1] for k in range(3)] for i in range(8)]
        at, _ = pixels_of(told, corners)
        assert (at >= 0).all() and (at <= [WIDTH, HEIGHT]).all(), at


def obstacles_in_space_are_drawn(run):
    """The ground around a block: grey, where nothing else is. Magnified, it is left out."""
    path = run.folder / "obstacles.pvd"
    if not path.exists() or run.begin.result().told["dimension"] == 2:
        return
    for shot in run.pictures():
        told = shot.told
        ground = Frame(read_pvd(path)[shot.frame][1])
        (corners,) = [ground.points[cell] for cell in ground.cells]
        at, _ = pixels_of(told, corners)
        # Close to the corner that is nearest to the viewer: in front of the bodies.
        nearest = at[np.argmin(at[:, 1])]
        column, row = np.floor(nearest + 0.03 * (at.mean(axis=0) - nearest)).astype(int)
        colour = shot.pixels[row, column]
        grey = np.ptp(colour) <= 2 and 150 < colour[0] < 250
        assert grey == (told["scale"] == 1.0), f"{colour} at {column}, {row}"


def pictures_are_full(run):
    for shot in run.pictures():
        if os.environ.get("DELASSUS_SCREENSHOTS"):
            os.makedirs(os.environ["DELASSUS_SCREENSHOTS"], exist_ok=True)
            shutil.copy(shot.path, os.environ["DELASSUS_SCREENSHOTS"])
        white = (shot.pixels == 255).all(axis=2)
        # The margins are free: nothing is cut off.
        edge = np.concatenate([white[:3].ravel(), white[-3:].ravel(), white[:, :3].ravel(), white[:, -3:].ravel()])
        assert edge.all(), "something is cut off at the edge"
        colours = len(np.unique(shot.pixels.reshape(-1, 3), axis=0))
        assert colours >= 100, f"{colours} colours"
        assert 0.1 <= 1.0 - white.mean() <= 0.9, f"{1.0 - white.mean():.0%} of the picture is not white"


def time_changes_the_picture(run):
    begin, middle = run.pictures()
    changed = np.mean((begin.pixels != middle.pixels).any(axis=2))
    assert changed > 0.05, f"{changed:.1%} of the pixels changed"
    # The same camera would serve both: it encloses the whole run.
    assert begin.told["range_of_run"] == middle.told["range_of_run"]


CHECKS = [
    frame_and_title, bodies_are_warped, ranges_of_the_field, an_arrow_for_every_active_contact,
    cells_have_the_colour_of_their_stress, the_whole_scene_is_in_view, obstacles_in_space_are_drawn, pictures_are_full,
    time_changes_the_picture,
]


def refusals(run, folder):
    """(what, arguments, words of the message)"""
    results, picture = run.folder, ("--picture", folder / "never.png")
    empty, damaged, listed = folder / "empty", folder / "damaged", folder / "listed"
    empty.mkdir()
    shutil.copytree(results, damaged)
    damaged_file = read_pvd(damaged / "fields.pvd")[1][1]
    damaged_file.write_bytes(damaged_file.read_bytes()[:700])
    shutil.copytree(results, listed)
    read_pvd(listed / "contacts.pvd")[2][1].unlink()
    return [
        ("no folder", (folder / "nowhere", *picture), ["nowhere", "does not exist"]),
        ("no fields", (empty, *picture), ["no fields.pvd"]),
        ("late", (results, *picture, "--time", "1e9"), ["1e+09 s", "out of range"]),
        ("frame", (results, *picture, "--frame", "100000"), ["frame 100000", "out of range"]),
        ("field", (results, *picture, "--field", "colour"), ["`colour`", "von_mises"]),
        ("component", (results, *picture, "--field", "stress"), ["stress:XX"]),
        ("size", (results, *picture, "--size", "900"), ["`900`", "900x500"]),
        ("scale", (results, *picture, "--scale", "big"), ["`big`", "auto"]),
        ("nothing to do", (results,), ["--picture", "--describe"]),
        ("unknown option", (results, *picture, "--colour"), ["--colour"]),
        ("missing frame", (listed, *picture), ["contacts_", "not there"]),
        ("damaged frame", (damaged, *picture), [damaged_file.name, "damaged"]),
    ]


def refused(done, folder, words):
    assert done.returncode == 2, f"exit code {done.returncode}\n{done.stderr}"
    assert "Traceback" not in done.stderr and "ERROR" not in done.stderr and not done.stdout, done.stderr
    for word in words:
        assert word in done.stderr, f"`{word}` is not in: {done.stderr}"
    assert not list(folder.glob("never.png*")), "a picture was begun"


# What a state file has made, told by ParaView itself.
# On a display of its own, as open_results.py: those of xvfb-run may meet when several start at once.
LOOK = """
import json, os, sys
sys.path.insert(0, sys.argv[3])
from open_results import need_display
need_display(800, 600)
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"))
found = {name: source for (name, _), source in GetSources().items()}
time = GetActiveView().ViewTime
found["deformed"].UpdatePipeline(time)
bounds = found["deformed"].GetDataInformation().GetBounds()
drawn = [r.Input for r in GetActiveView().Representations if getattr(r, "Visibility", 0) and hasattr(r, "Input")]
shown = [name for name, source in found.items() if source in drawn]
SaveScreenshot(sys.argv[2], ImageResolution=[600, 400])
print(json.dumps({"sources": sorted(found), "shown": sorted(shown), "bounds": bounds, "time": time}), flush=True)
os._exit(0)
"""
# A plane case and one in space, with the sources that their states have beside the readers.
STATES = {
    "blocks-gmsh": ["contact forces", "deformed", "slab", "block"],
    "block-slide-3d": ["contact forces", "deformed", "obstacles"],
}


def look(run):
    """The state file of a run, carried out by pvpython."""
    state = run.folder / "view.py"
    subprocess.run([tool("DELASSUS"), "view", str(run.folder), "--no-open"], check=True, capture_output=True, timeout=60)
    script, picture = run.folder.parent / "look.py", run.folder.parent / f"{run.folder.name}-state.png"
    script.write_text(LOOK)
    return pvpython(script, state, picture, MACRO.parent), picture


def state_opens(run, done, picture):
    """With the last frame, deformed, and everything that the page of the documentation promises."""
    assert done.returncode == 0 and "Error" not in done.stderr, done.stderr
    told = json.loads(done.stdout.strip().splitlines()[-1])
    time, path = run.fields[-1]
    frame = Frame(path)
    missing = set(STATES[run.folder.name]) - set(told["sources"])
    assert not missing, f"{missing} of {told['sources']}"
    assert "contact forces" in told["shown"] and "contact pressure" not in told["shown"], told["shown"]
    close("time", told["time"], time, 1e-12 * time)
    places = frame.points + frame.point_data["displacement"]
    bounds = np.stack([places.min(axis=0), places.max(axis=0)], axis=1).ravel()
    # ParaView warps points of doubles in doubles.
    close("bounds", np.array(told["bounds"]), bounds, 1e-9 * np.abs(bounds).max())
    assert picture.stat().st_size > 5000, "the picture is empty"


# Nine checks of every run, twelve refusals, and the states.
EXPECTED = 9 * len(CASES) + 12 + len(STATES)


def cases(folder):
    find()
    out = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [Run(case, folder) for case in CASES]
        for run in runs:
            run.shoot(pool)
        states = [(run, pool.submit(look, run)) for run in runs if run.folder.name in STATES]
        wrong = [(what, pool.submit(macro, *arguments), words) for what, arguments, words in refusals(runs[0], folder)]
    for run in runs:
        out += [(f"{run.folder.name}: {check.__name__}", lambda c=check, r=run: c(r)) for check in CHECKS]
    out += [(f"{run.folder.name}: state_opens", lambda r=run, d=done: state_opens(r, *d.result())) for run, done in states]
    out += [(f"refused: {what}", lambda d=d, w=w: refused(d.result(), folder, w)) for what, d, w in wrong]
    return out
