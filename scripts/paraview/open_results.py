"""Shows a results folder in ParaView: deformed bodies in the colours of a field, contact forces as arrows.

In ParaView (5.11 or later): open fields.pvd of the folder, then Macros > Import new macro..., or View > Python Shell > Run
Script. The folder may also be named by RESULTS below or by the environment variable DELASSUS_RESULTS.

On the command line, without a screen:

    pvpython scripts/paraview/open_results.py RESULTS --picture out.png --last

Bad input ends with exit code 2 and a sentence. Without DISPLAY, a build of ParaView that can only draw on an X server gets
a private one (Xvfb) for as long as it runs.
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# What the macro shows when it runs in ParaView; the command line has options for these.
RESULTS = ""
FIELD = "von_mises"
SCALE = "1"

# The colours of report.html: lightness falls all the way, and a body without stress stays pale behind the arrows.
PALE_TO_DARK = [(252, 249, 222), (196, 226, 178), (104, 188, 188), (42, 134, 184), (38, 74, 148), (14, 20, 72)]
# For fields of both signs: white is zero.
TWO_SIDED = [(33, 74, 135), (107, 160, 205), (245, 245, 240), (221, 137, 93), (140, 35, 25)]
OBSTACLES = (0.45, 0.42, 0.38)
ARROWS, LINES, OUTLINE, UNDEFORMED, INK = (0.84, 0.21, 0.02), (0.42, 0.44, 0.46), (0.05,) * 3, (0.6,) * 3, (0.1,) * 3
# Surfaces of obstacles in space, and the light on what is turned away from it.
SURFACES, DARKEST = (0.9,) * 3, 0.78
# Opacity of bodies that hide another from every place.
VEIL = 0.35

# How the arrays are called in the picture.
LABELS = {
    "von_mises": "von Mises stress [Pa]",
    "stress": "stress [Pa]",
    "strain": "strain",
    "displacement": "displacement [m]",
    "velocity": "velocity [m/s]",
    "reaction": "reaction [N]",
    "body": "body",
    "material": "material",
}


class Trouble(Exception):
    """What the user should put right, in a sentence."""


def collection(path):
    """(time, file) of a PVD file; every file it lists is there."""
    try:
        entries = list(ElementTree.parse(path).getroot().iter("DataSet"))
        times = [float(entry.attrib["timestep"]) for entry in entries]
        files = [path.parent / entry.attrib["file"] for entry in entries]
    except (ElementTree.ParseError, KeyError, ValueError) as error:
        raise Trouble(f"{path} is not a collection of frames: {error}")
    if not times:
        raise Trouble(f"{path} lists no frames")
    missing = [file for file in files if not file.is_file()]
    if missing:
        raise Trouble(f"{path} lists {missing[0].name}, which is not there ({len(missing)} files missing)")
    return list(zip(times, files))


class Folder:
    """What lies in a results folder."""

    def __init__(self, path):
        self.path = Path(path)
        if not self.path.is_dir():
            raise Trouble(f"the results folder `{path}` does not exist")
        self.fields = self.path / "fields.pvd"
        if not self.fields.is_file():
            raise Trouble(f"`{path}` has no fields.pvd: it is not the results folder of a run")
        self.field_frames, self.contact_frames = collection(self.fields), []
        # A folder without contacts.pvd is shown without arrows.
        self.contacts = self.path / "contacts.pvd"
        if self.contacts.is_file():
            self.contact_frames = collection(self.contacts)
        else:
            self.contacts = None
        # Cases without obstacles have none.
        obstacles = self.path / "obstacles.pvd"
        self.obstacles = obstacles if obstacles.is_file() else None
        self.obstacle_frames = collection(obstacles) if self.obstacles else []
        self.times = sorted({time for time, _ in self.field_frames + self.contact_frames})
        try:
            manifest = json.loads((self.path / "manifest.json").read_text(encoding="utf-8"))
            self.title = str(manifest["title"])
            # Numbers of a case without units are shown bare.
            self.has_units = manifest.get("units", "Si") == "Si"
        except (OSError, ValueError, KeyError, TypeError):
            # A run that was stopped has no manifest yet.
            self.title = self.path.resolve().name
            self.has_units = True

    def frame(self, options):
        """Number of the frame asked for; of a time, the nearest frame."""
        first, last, n = self.times[0], self.times[-1], len(self.times)
        if options.frame is not None:
            if not -n <= options.frame < n:
                raise Trouble(f"frame {options.frame} is out of range: there are {n} frames, 0 to {n - 1}")
            return options.frame % n
        if options.time is not None:
            slack = 1e-9 * (last - first)
            if not first - slack <= options.time <= last + slack:
                raise Trouble(f"time {options.time:g} s is out of range: the run has {first:g} to {last:g} s")
            return min(range(n), key=lambda i: abs(self.times[i] - options.time))
        return n - 1


def need_display(width, height):
    """An X server of our own, when ParaView can only draw on one and there is none."""
    if not sys.platform.startswith("linux") or os.environ.get("DISPLAY"):
        return
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401, the factory of render windows
    from vtkmodules.vtkRenderingCore import vtkRenderWindow

    if vtkRenderWindow().GetClassName() != "vtkXOpenGLRenderWindow":
        return
    if not shutil.which("Xvfb"):
        raise Trouble("this ParaView draws on an X server only and DISPLAY is not set: install Xvfb (package xvfb)")
    screen = f"{max(width, 640)}x{max(height, 480)}x24"
    # Numbers of our own: servers that look for a free one can take that of one that is just ending.
    for number in range(1000 + os.getpid() % 50000, 60000, 1111):
        # The shell ends the server when our end of its input closes, that is when we end, however that comes.
        # Without -noreset it would start afresh, and refuse us for a moment, between two of ParaView's connections.
        serve = f"Xvfb :{number} -displayfd 1 -screen 0 {screen} -nolisten tcp -noreset"
        script = f"{serve} & exec >&-; read -r line; kill $!; wait"
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen(["sh", "-c", script], text=True, **pipes)
        if server.stdout.readline().strip():
            break
        server.communicate()
    else:
        raise Trouble("Xvfb did not start")
    os.environ["DISPLAY"] = f":{number}"
    # A copy that no object owns: Python closes its objects before ParaView has left the server.
    os.dup(server.stdin.fileno())


def round_down(x):
    """The largest 1, 2 or 5 times a power of ten that is not above x."""
    power = 10.0 ** math.floor(math.log10(x))
    return max(m * power for m in (1.0, 2.0, 5.0) if m * power <= x * (1 + 1e-12))


def with_prefix(x, unit):
    """122 MN instead of 1.22e8 N."""
    power = min(3, max(-3, math.floor(math.log10(x) / 3.0 + 1e-9))) if x > 0.0 else 0
    return f"{x / 1000.0**power:.3g} {['n', 'µ', 'm', '', 'k', 'M', 'G'][power + 3]}{unit}"


def frames(listed):
    """The grids of a collection, one after the other."""
    from vtkmodules.vtkCommonCore import vtkObject
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    for _, path in listed:
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(path))
        # What the reader would say is said below.
        vtkObject.GlobalWarningDisplayOff()
        reader.Update()
        vtkObject.GlobalWarningDisplayOn()
        if reader.GetErrorCode():
            raise Trouble(f"{path} cannot be read: it is damaged")
        yield path, reader.GetOutput()


def array(path, data, name):
    """An array of a frame as numbers, one row a point or cell."""
    from vtkmodules.util.numpy_support import vtk_to_numpy

    found = data.GetArray(name)
    if found is None:
        raise Trouble(f"{path} has no array `{name}`")
    return vtk_to_numpy(found).reshape(found.GetNumberOfTuples(), found.GetNumberOfComponents())


class Box:
    """The box around points, in the plane or in space."""

    def __init__(self, dimension):
        self.low, self.high = [math.inf] * dimension, [-math.inf] * dimension

    def add(self, points):
        if len(points):
            for i in range(len(self.low)):
                self.low[i] = min(self.low[i], float(points[:, i].min()))
                self.high[i] = max(self.high[i], float(points[:, i].max()))

    def bounds(self):
        return [x for pair in zip(self.low, self.high) for x in pair]

    def sizes(self):
        return [high - low for low, high in zip(self.low, self.high)]


def upwards(folder):
    """The axis that points up in a case in space, with its sign: against gravity, else out of the ground, else y."""

    def axis(pattern, sign):
        for found in re.finditer(pattern + r"\s*[(\[]([^()\[\]]*)[)\]]", text):
            try:
                vector = [float(x) for x in found.group(1).split(",") if x.strip()]
            except ValueError:
                continue
            if len(vector) == 3 and any(vector):
                k = max(range(3), key=lambda i: abs(vector[i]))
                return [sign * math.copysign(1.0, vector[k]) if i == k else 0.0 for i in range(3)]
        return None

    try:
        text = (folder.path / "case.resolved.ron").read_text(encoding="utf-8")
    except (OSError, ValueError):
        text = ""
    ground = axis(r"HalfPlane\s*\([^()]*(?:\([^()]*\))?[^()]*normal:", 1.0)
    # A plane whose normal lies along x is a wall.
    if ground and ground[0]:
        ground = None
    return axis(r"Gravity\s*\(\s*acceleration:", -1.0) or ground or [0.0, 1.0, 0.0]


def normals_and_areas(data):
    """Unit normals and areas of the faces of a surface, from half the sums of x_k × x_(k+1)."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    import numpy as np

    points, faces = vtk_to_numpy(data.GetPoints().GetData()), data.GetPolys()
    ends = vtk_to_numpy(faces.GetOffsetsArray())
    nodes = vtk_to_numpy(faces.GetConnectivityArray())
    first = np.repeat(ends[:-1], np.diff(ends))
    following = np.arange(len(nodes)) + 1
    last = np.zeros(len(nodes), dtype=bool)
    last[ends[1:] - 1] = True
    following[last] = ends[:-1]
    base = points[nodes[first]]
    parts = 0.5 * np.cross(points[nodes] - base, points[nodes[following]] - base)
    vectors = np.add.reduceat(parts, ends[:-1], axis=0)
    areas = np.linalg.norm(vectors, axis=1)
    return vectors / np.where(areas > 0.0, areas, 1.0)[:, None], areas


def surface_of(grid):
    """The outer faces of a grid."""
    from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter

    surface = vtkDataSetSurfaceFilter()
    surface.SetInputData(grid)
    surface.SetNonlinearSubdivisionLevel(0)
    surface.Update()
    return surface.GetOutput()


def directions(size, up):
    """Places to look from, eight at each of three heights: right, up and towards the viewer of each. The longer sides are seen at
    less of a slant in the first four of eight, flat bodies from higher up; the other heights are for bodies that are hidden."""
    import numpy as np

    right = np.eye(3)[1 if up[0] else 0]
    front = np.cross(right, up)
    width, depth, height = (float(np.abs(axis) @ size) for axis in (right, front, up))
    first = 32.0 if width >= depth else 58.0
    for raised in (34.0 if height < 0.3 * max(width, depth) else 22.0, 58.0, -22.0):
        high = math.radians(raised)
        for turn in (first, 90.0 - first):
            for angle in (turn, -turn, 180.0 - turn, 180.0 + turn):
                s, c = math.sin(math.radians(angle)), math.cos(math.radians(angle))
                towards = math.cos(high) * (c * front + s * right) + math.sin(high) * np.array(up)
                across = c * right - s * front
                yield np.array([across, np.cross(towards, across), towards])


def triangles(surface, points):
    """The faces of a surface as fans of triangles, with the number of the face of each."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    import numpy as np

    ends = vtk_to_numpy(surface.GetPolys().GetOffsetsArray())
    nodes = vtk_to_numpy(surface.GetPolys().GetConnectivityArray())
    corners, faces = [np.zeros((0, 3), dtype=int)], [np.zeros(0, dtype=int)]
    sizes = np.diff(ends)
    for n in np.unique(sizes):
        chosen = np.flatnonzero(sizes == n)
        rings = nodes[ends[chosen][:, None] + np.arange(n)]
        for k in range(1, n - 1):
            corners.append(rings[:, [0, k, k + 1]])
            faces.append(chosen)
    return points[np.concatenate(corners)], np.concatenate(faces)


class Stage:
    """What there is to be seen: triangles of bodies and obstacles, and points where contact forces act."""

    # As in report.html: pixels along the longer side of the picture, largest distance of samples, longest edge of a triangle that is not cut and
    # how much nearer something must be to cover, all in pixels; a body of which less than this part is seen is hidden.
    PIXELS, SPACING, LARGE, NEARER, HIDDEN = 96.0, 0.7, 64.0, 2.0, 0.05
    # Among more bodies it is natural that some are hidden.
    MOST_BODIES = 12

    def __init__(self, bodies, owners, walls, contacts):
        import numpy as np

        self.names, owners = np.unique(owners, return_inverse=True)
        self.corners = np.concatenate([bodies, walls])
        # Obstacles are owned by the last one.
        self.owners = np.concatenate([owners.ravel(), np.full(len(walls), len(self.names))])
        self.n, self.contacts = len(bodies), contacts

    def cut(self, at, owners, low, pixel):
        """Triangles cut until none is large, without those outside the picture; their owners and the lengths of their edges. The shortest edge
        comes first, so that few rows of samples cross a triangle that is long and thin."""
        import numpy as np

        whole = [], [], []
        while len(at):
            cell = (at[:, :, :2] - low) / pixel
            near = ((cell.min(axis=1) <= self.PIXELS + 1.0) & (cell.max(axis=1) >= -1.0)).all(axis=1)
            at, owners = at[near], owners[near]
            edges = np.stack([np.hypot(*(at[:, (k + 1) % 3] - at[:, k])[:, :2].T) for k in range(3)], axis=1)
            order = (np.argmin(edges, axis=1)[:, None] + np.arange(3)) % 3
            at, edges = np.take_along_axis(at, order[:, :, None], axis=1), np.take_along_axis(edges, order, axis=1)
            large = edges.max(axis=1) > self.LARGE * pixel
            for list, part in zip(whole, (at, owners, edges)):
                list.append(part[~large])
            (a, b, c), second = at[large].transpose(1, 0, 2), (edges[large, 1] >= edges[large, 2])[:, None]
            middle = np.where(second, b + c, c + a) / 2.0
            first = np.stack([a, b, middle], axis=1)
            rest = np.stack([np.where(second, a, middle), np.where(second, middle, b), c], axis=1)
            at, owners = np.concatenate([first, rest]), np.tile(owners[large], 2)
        return tuple(np.concatenate(list) for list in whole)

    def seen(self, axes):
        """The share of each body that is seen from there, and of the contact points. Faces that look at the viewer are sampled; a body
        is seen in a pixel where nothing else is clearly nearer."""
        import numpy as np

        at = self.corners @ axes.T
        low = at[: self.n, :, :2].min(axis=(0, 1))
        size = at[: self.n, :, :2].max(axis=(0, 1)) - low
        pixel = float(size.max()) / self.PIXELS
        if not pixel > 0.0:
            return np.ones(len(self.names)), 1.0
        columns, rows = (int(min(max(math.ceil(length / pixel), 1), self.PIXELS)) for length in size)

        def place(points):
            cell = (points[:, :2] - low) / pixel
            inside = (cell >= -1e-6).all(axis=1) & (cell[:, 0] < columns + 1e-6) & (cell[:, 1] < rows + 1e-6)
            cell = np.clip(cell.astype(int), 0, [columns - 1, rows - 1])
            return inside, cell[:, 1] * columns + cell[:, 0]

        u, v = at[:, 1] - at[:, 0], at[:, 2] - at[:, 0]
        front = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0] > 0.0
        at, owned, edges = self.cut(at[front], self.owners[front], low, pixel)
        u, v = at[:, 1] - at[:, 0], at[:, 2] - at[:, 0]
        pieces = np.maximum(np.ceil(np.stack([edges[:, 0], edges[:, 1:].max(axis=1)], axis=1) / (self.SPACING * pixel)), 1)
        pieces = pieces.astype(int)
        pixels, owners, depths = [], [], []
        for n, m in np.unique(pieces, axis=0):
            chosen = (pieces == [n, m]).all(axis=1)
            s, t = (x.ravel() for x in np.meshgrid((np.arange(n) + 0.5) / n, (np.arange(m) + 0.5) / m, indexing="ij"))
            weights = np.stack([s, (1.0 - s) * t], axis=1)
            spans = np.stack([u[chosen], v[chosen]], axis=1)
            points = (at[chosen, 0][:, None] + np.einsum("ki,tid->tkd", weights, spans)).reshape(-1, 3)
            inside, cell = place(points)
            pixels.append(cell[inside])
            owners.append(np.repeat(owned[chosen], len(weights))[inside])
            depths.append(points[inside, 2])
        pixels, owners, depths = (np.concatenate(list) if list else np.zeros(0) for list in (pixels, owners, depths))
        nearest = np.full(columns * rows, -np.inf)
        np.maximum.at(nearest, pixels.astype(int), depths)
        shares = np.ones(len(self.names))
        for body in range(len(self.names)):
            mine = owners == body
            own = np.full(columns * rows, -np.inf)
            np.maximum.at(own, pixels[mine].astype(int), depths[mine])
            there = np.isfinite(own)
            if there.any():
                shares[body] = np.mean(nearest[there] <= own[there] + self.NEARER * pixel)
        if not len(self.contacts):
            return shares, 1.0
        points = self.contacts @ axes.T
        inside, cell = place(points)
        return shares, float(np.mean(~inside | (nearest[cell] <= points[:, 2] + self.NEARER * pixel)))


class Survey:
    """What all frames have in common: range of the field, size of the bodies, largest displacement and force.

    The files are read directly; to send every frame through ParaView's pipeline would take several times as long.
    """

    def __init__(self, folder, field):
        from vtkmodules.util.numpy_support import vtk_to_numpy
        import numpy as np

        self.folder, self.range = folder, (math.inf, -math.inf)
        first = next(frames(folder.field_frames))[1]
        self.select(first, field)
        # Bodies in space are made of cells in space.
        self.dimension = 3 if first.GetNumberOfCells() and first.GetCell(0).GetCellDimension() == 3 else 2
        shift, self.force, undeformed = 0.0, 0.0, Box(self.dimension)
        most, busiest, self.hides = -1.0, (first, folder.field_frames[0][0]), False
        for (time, _), (path, grid) in zip(folder.field_frames, frames(folder.field_frames)):
            if grid.GetNumberOfCells() == 0:
                raise Trouble(f"{path} has no cells")
            stress = float(array(path, grid.GetCellData(), "von_mises").sum()) if self.dimension == 3 else 0.0
            if stress > most:
                most, busiest = stress, (grid, time)
            undeformed.add(vtk_to_numpy(grid.GetPoints().GetData()))
            values = array(path, grid.GetPointData() if self.kind == "POINTS" else grid.GetCellData(), self.array)
            values = np.linalg.norm(values, axis=1) if self.column < 0 else values[:, self.column]
            self.range = min(self.range[0], float(values.min())), max(self.range[1], float(values.max()))
            displacement = array(path, grid.GetPointData(), "displacement")
            shift = max(shift, float(np.linalg.norm(displacement, axis=1).max()))
        for path, grid in frames(folder.contact_frames):
            if grid.GetNumberOfPoints():
                forces = np.linalg.norm(array(path, grid.GetPointData(), "force"), axis=1)
                self.force = max(self.force, float(forces.max()))
        self.undeformed = undeformed.bounds()
        self.size = math.dist(undeformed.low, undeformed.high)
        # Bodies that move by less than 1 % of their size hardly show it; magnified, they move by 5 to 10 %.
        self.tiny = 0.0 < shift < 0.01 * self.size
        self.offer = round_down(0.1 * self.size / shift) if self.tiny else 1.0
        self.axes = self.look(*busiest) if self.dimension == 3 else np.eye(3)

    def look(self, grid, time):
        """From where a model in space is looked at: where every body and the contacts are seen, most of the stress is, and obstacles
        are from the bodies' side, but from the first of the places unless another one is clearly better. As in report.html."""
        from vtkmodules.util.numpy_support import vtk_to_numpy
        import numpy as np

        surface = surface_of(grid)
        # Faces of bodies count alike whatever their size: where they are many, there is most to see.
        normals, _ = normals_and_areas(surface)
        stress = vtk_to_numpy(surface.GetCellData().GetArray("von_mises"))
        walls, wall_areas, wall_corners = np.zeros((0, 3)), np.zeros(0), np.zeros((0, 3, 3))
        at_that_time = [f for f in self.folder.obstacle_frames if f[0] == time] or self.folder.obstacle_frames[:1]
        for _, obstacles in frames(at_that_time):
            faces = surface_of(obstacles)
            walls, wall_areas = normals_and_areas(faces)
            wall_corners, _ = triangles(faces, vtk_to_numpy(faces.GetPoints().GetData()))
        contacts = np.zeros((0, 3))
        for path, found in frames([f for f in self.folder.contact_frames if f[0] == time]):
            if found.GetNumberOfPoints():
                force = np.linalg.norm(array(path, found.GetPointData(), "force"), axis=1)
                largest = np.argsort(-force, kind="stable")[:300]
                contacts = vtk_to_numpy(found.GetPoints().GetData())[largest[force[largest] > 0.0]]
        box = Box(3)
        box.add(vtk_to_numpy(grid.GetPoints().GetData()))
        moved = vtk_to_numpy(surface.GetPoints().GetData()) + vtk_to_numpy(surface.GetPointData().GetArray("displacement"))
        corners, faces = triangles(surface, moved)
        stage = Stage(corners, vtk_to_numpy(surface.GetCellData().GetArray("body"))[faces], wall_corners, contacts)
        best, most, least = None, 0.0, 0.0
        for number, axes in enumerate(directions(np.array(box.sizes()), upwards(self.folder))):
            if number in (8, 16) and least >= 0.3:
                break

            def part(vectors, weights):
                whole = float(weights.sum())
                return float((np.maximum(vectors @ axes[2], 0.0) * weights).sum()) / whole if whole > 0.0 else None

            seen, clear = part(normals, stress), part(walls, wall_areas)
            shares, free = stage.seen(axes)
            lowest = float(np.sort(shares)[len(shares) // 10])
            shown = (0.05 + (seen or 0.0)) * (0.05 + (1.0 if clear is None else clear))
            shown *= (0.05 + min(1.0, lowest / 0.3)) * (0.25 + 0.75 * min(1.0, free / 0.05))
            if best is None or shown > 1.15 * most:
                best, most, least = axes, shown, lowest
                self.hides = len(shares) <= stage.MOST_BODIES and bool((shares < stage.HIDDEN).any())
        return best

    def select(self, grid, field):
        """The array and component that give the colours."""
        self.array, _, component = field.partition(":")
        arrays = {}
        for kind, data in (("POINTS", grid.GetPointData()), ("CELLS", grid.GetCellData())):
            for i in range(data.GetNumberOfArrays()):
                arrays[data.GetArrayName(i)] = (kind, data.GetArray(i))
        if self.array not in arrays:
            raise Trouble(f"there is no field `{self.array}`; there are {', '.join(sorted(arrays))}")
        self.kind, found = arrays[self.array]
        n = found.GetNumberOfComponents()
        names = [found.GetComponentName(i) for i in range(n)] if n > 1 else []
        if n == 3:
            component = component or "Magnitude"
            names.append("Magnitude")
        if n > 1 and component not in names:
            raise Trouble(f"field `{self.array}` needs a component: {', '.join(f'{self.array}:{c}' for c in names)}")
        if n == 1 and component:
            raise Trouble(f"field `{self.array}` has no components")
        self.component = component
        self.column = -1 if component == "Magnitude" else names.index(component) if component else 0

    def enclose(self, scale, arrow):
        """The box around the bodies of all frames, undeformed and magnified, and around the tips of the arrows; and the box
        around these in the picture, there also around obstacles close by."""
        from vtkmodules.util.numpy_support import vtk_to_numpy

        box, seen = Box(self.dimension), Box(2)

        def add(points):
            box.add(points)
            seen.add(points @ self.axes.T)

        for path, grid in frames(self.folder.field_frames):
            points = vtk_to_numpy(grid.GetPoints().GetData())
            add(points)
            add(points + scale * array(path, grid.GetPointData(), "displacement"))
        for path, grid in frames(self.folder.contact_frames):
            if grid.GetNumberOfPoints():
                points = vtk_to_numpy(grid.GetPoints().GetData())
                add(points + arrow * array(path, grid.GetPointData(), "force"))
        if self.dimension == 3 and scale == 1.0:
            bodies = Box(2)
            bodies.low, bodies.high = list(seen.low), list(seen.high)
            for _, grid in frames(self.folder.obstacle_frames):
                for i in range(grid.GetNumberOfCells()):
                    face = vtk_to_numpy(grid.GetCell(i).GetPoints().GetData()) @ self.axes.T
                    more = Box(2)
                    more.low, more.high = list(bodies.low), list(bodies.high)
                    more.add(face)
                    slack = 0.5 * math.hypot(*bodies.sizes())
                    if all(m <= b + slack for m, b in zip(more.sizes(), bodies.sizes())):
                        seen.add(face)
        return box.bounds(), seen.bounds()


class Scene:
    """The pipeline, and what it shows over the whole run."""

    def __init__(self, survey, scale, readers=None):
        from paraview import simple

        folder = survey.folder
        self.simple, self.folder = simple, folder
        readers = readers or {}
        self.bodies = readers.get(folder.fields) or simple.PVDReader(FileName=str(folder.fields))
        self.contacts = None
        if folder.contacts:
            self.contacts = readers.get(folder.contacts) or simple.PVDReader(FileName=str(folder.contacts))
        self.survey, self.automatic = survey, scale == "auto"
        self.scale = survey.offer if self.automatic else float(scale)
        self.obstacles = None
        # Magnified displacements would carry the bodies through them.
        if folder.obstacles and self.scale == 1.0:
            reader = readers.get(folder.obstacles) or simple.PVDReader(FileName=str(folder.obstacles))
            self.obstacles = self.name(reader, "obstacles")
        self.name(self.bodies, "bodies, undeformed")
        # The longest arrow of the run: a sixth of the model.
        self.arrow = survey.size / 6.0 / survey.force if survey.force > 0.0 else 0.0
        self.box, self.seen = survey.enclose(self.scale, self.arrow)
        self.in_space = survey.dimension == 3
        # Are arrows drawn in front of everything?
        self.over = False
        self.connect()

    def name(self, source, name):
        self.simple.RenameSource(name, source)
        return source

    def values(self, source):
        """Range of the field in the frame the source is at."""
        survey = self.survey
        data = source.PointData if survey.kind == "POINTS" else source.CellData
        return data[survey.array].GetRange(survey.column)

    def connect(self):
        simple = self.simple
        self.warp = self.name(simple.WarpByVector(Input=self.bodies), "bodies")
        self.warp.Vectors = ["POINTS", "displacement"]
        self.warp.ScaleFactor = self.scale
        self.edges = {}
        for source, name in ((self.bodies, "outline, undeformed"), (self.warp, "outline")):
            surface = simple.ExtractSurface(Input=source)
            edges = simple.FeatureEdges(Input=surface)
            edges.BoundaryEdges, edges.FeatureEdges, edges.NonManifoldEdges = 1, int(self.in_space), 0
            edges.FeatureAngle = 35.0
            self.edges[name] = self.name(edges, name)
        # The edges that ParaView draws on surfaces fade out in long cells; a wireframe does not.
        self.edges["mesh"] = self.name(surface, "mesh")
        self.arrows = None
        if self.contacts:
            self.name(self.contacts, "contacts")
            self.active = self.name(self.loaded(), "contacts with a force")
        if self.arrow > 0.0:
            glyphs = simple.Glyph(Input=self.active, GlyphType="Arrow")
            glyphs.OrientationArray = ["POINTS", "force"]
            glyphs.ScaleArray = ["POINTS", "force"]
            glyphs.VectorScaleMode = "Scale by Magnitude"
            glyphs.ScaleFactor = self.arrow
            glyphs.GlyphMode = "All Points"
            shape = glyphs.GlyphType
            shape.TipLength, shape.TipRadius, shape.ShaftRadius = 0.28, 0.075, 0.022
            shape.TipResolution = shape.ShaftResolution = 16
            self.arrows = self.name(glyphs, "contact forces")
        if self.obstacles and self.in_space:
            # Faces may have points of their own; joined, it is known which are neighbours.
            joined = simple.Clean(Input=simple.ExtractSurface(Input=self.obstacles), Tolerance=1e-9)
            borders = simple.FeatureEdges(Input=joined)
            borders.BoundaryEdges, borders.FeatureEdges, borders.NonManifoldEdges = 1, 1, 0
            borders.FeatureAngle = 35.0
            self.edges["obstacles"] = self.name(borders, "outline of obstacles")

    def loaded(self):
        """The contacts that carry a force, where the bodies are drawn."""
        simple = self.simple
        magnitude = simple.Calculator(Input=self.contacts, AttributeType="Point Data")
        magnitude.ResultArrayName, magnitude.Function = "force_magnitude", "mag(force)"
        loaded = simple.Threshold(Input=magnitude, Scalars=["POINTS", "force_magnitude"])
        # All from the smallest positive number on.
        loaded.ThresholdMethod, loaded.UpperThreshold = "Above Upper Threshold", sys.float_info.min
        if self.scale == 1.0:
            return loaded
        # A contact point is next to a node of its candidates' body and moves along with it.
        true = simple.WarpByVector(Input=self.bodies, Vectors=["POINTS", "displacement"], ScaleFactor=1.0)
        nodes = simple.PointDatasetInterpolator(Input=true, Source=loaded, Kernel="VoronoiKernel")
        nodes.PassPointArrays = 1
        return simple.WarpByVector(Input=nodes, Vectors=["POINTS", "displacement"], ScaleFactor=self.scale - 1.0)

    def describe(self, frame):
        """Figures of a frame, for tests and scripts."""
        time = self.folder.times[frame]
        self.warp.UpdatePipeline(time)
        arrows = 0
        if self.contacts:
            self.active.UpdatePipeline(time)
            arrows = self.active.GetDataInformation().GetNumberOfPoints()
        return {
            "title": self.folder.title,
            "frames": len(self.folder.times),
            "frame": frame,
            "time": time,
            "field": self.survey.array + (f":{self.survey.component}" if self.survey.component else ""),
            "range": list(self.values(self.warp)),
            "range_of_run": list(self.survey.range),
            "scale": self.scale,
            "scale_offered": self.survey.offer,
            "dimension": self.survey.dimension,
            "bounds": list(self.warp.GetDataInformation().GetBounds())[: 2 * self.survey.dimension],
            "bounds_undeformed": self.survey.undeformed,
            "bounds_of_run": self.box,
            "bounds_in_picture": self.seen,
            "axes": self.survey.axes.tolist(),
            "see_through": self.survey.hides,
            "cells": self.warp.GetDataInformation().GetNumberOfCells(),
            "arrows": arrows,
            "largest_force": self.survey.force,
            "metres_per_newton": self.arrow,
        }

    def draw(self, view):
        """Puts everything into the view."""
        # Or the first drawing would move the camera.
        self.simple._DisableFirstRenderCameraReset()
        self.view = view
        view.UseColorPaletteForBackground = 0
        view.BackgroundColorMode = "Single Color"
        view.Background = [1.0, 1.0, 1.0]
        view.OrientationAxesVisibility, view.CenterAxesVisibility = int(self.in_space), 0
        view.InteractionMode = "3D" if self.in_space else "2D"
        simple = self.simple
        for source in (self.bodies, self.contacts):
            if source:
                simple.Hide(source, view)
        flat = {"Ambient": 1.0, "Diffuse": 0.0, "Specular": 0.0}
        lit = self.light() if self.in_space else flat
        # Where a body is hidden from every place, all are see-through.
        clear = {"Opacity": VEIL} if self.survey.hides else {}
        self.colour(self.show(self.warp, Representation="Surface", **lit, **clear))
        lines = (("outline, undeformed", UNDEFORMED, 1.2), ("mesh", LINES, 1.0), ("outline", OUTLINE, 1.8))
        plain = [(self.edges[name], colour, width, flat) for name, colour, width in lines]
        if self.obstacles:
            plain.append((self.obstacles, *((SURFACES, 1.0, lit) if self.in_space else (OBSTACLES, 3.0, flat))))
        if self.obstacles and self.in_space:
            plain.append((self.edges["obstacles"], UNDEFORMED, 1.2, flat))
        if self.arrows:
            plain.append((self.arrows, ARROWS, 1.0, flat))
        for source, colour, width, shine in plain:
            kind = "Wireframe" if source is self.edges["mesh"] else "Surface"
            display = self.show(source, Representation=kind, LineWidth=width, **shine)
            display.ColorArrayName = ["POINTS", ""]
            display.AmbientColor = display.DiffuseColor = list(colour)
        self.arrange()

    def light(self):
        """One light from the upper left in place of ParaView's own: what faces it has its colour, the rest is a little darker."""
        view = self.view
        view.OrientationAxesLabelColor = list(INK)
        view.UseLight, view.AdditionalLights = 0, []
        lamp = self.simple.AddLight(view=view)
        # In the camera's own axes.
        lamp.Coords, lamp.Intensity = "Camera", 1.0
        lamp.Position, lamp.FocalPoint, lamp.Type = [-0.36, 0.80, 1.48], [0.0, 0.0, 1.0], "Directional"
        return {"Ambient": DARKEST, "Diffuse": 1.0 - DARKEST, "Specular": 0.0}

    def bring_forward(self):
        """Arrows in front of all bodies, as report.html has them, and lines a little before their faces, which would else cover
        parts of them. A parallel projection leaves all where it is in the picture; when one looks from elsewhere it is off, so
        this is for pictures alone."""
        if not self.in_space:
            return

        def forward(source, name, sizes):
            moved = self.simple.Transform(Input=source)
            moved.Transform.Translate = [float(x) for x in sizes * self.survey.size * self.survey.axes[2]]
            return self.name(moved, f"{name}, brought forward")

        for name in self.edges:
            if name != "outline, undeformed":
                self.edges[name] = forward(self.edges[name], name, 0.01)
        if self.arrows:
            self.over, self.arrows = True, forward(self.arrows, "contact forces", 3.0)

    def show(self, source, **properties):
        display = self.simple.Show(source, self.view)
        for name, value in properties.items():
            setattr(display, name, list(value) if isinstance(value, tuple) else value)
        return display

    def colour(self, display):
        simple, survey = self.simple, self.survey
        simple.ColorBy(display, [part for part in (survey.kind, survey.array, survey.component) if part])
        low, high = survey.range
        if low < 0.0:
            high = max(-low, high)
            low, stops = -high, TWO_SIDED
        else:
            low, stops = 0.0, PALE_TO_DARK
        if high <= low:
            high = low + 1.0
        table = simple.GetColorTransferFunction(survey.array)
        table.ColorSpace = "RGB"
        at = [low + (high - low) * i / (len(stops) - 1) for i in range(len(stops))]
        table.RGBPoints = [x for value, rgb in zip(at, stops) for x in (value, *(c / 255.0 for c in rgb))]
        # Or the colours would follow every frame.
        table.AutomaticRescaleRangeMode = "Never"
        display.SetScalarBarVisibility(self.view, True)
        self.limits, self.bar = (low, high), simple.GetScalarBar(table, self.view)

    def arrange(self):
        """Title and time on top, the scale bar beside or below, the bodies as large as the rest allows."""
        width, height = self.view.ViewSize
        k = min(height / 500.0, width / 700.0)
        margin, top, beside, below = 22 * k, 78 * k, 150 * k, 74 * k
        x0, x1, y0, y1 = self.seen
        extent = max(x1 - x0, 1e-9 * self.survey.size), max(y1 - y0, 1e-9 * self.survey.size)

        def zoom(right, bottom):
            """Pixels a metre when these strips are left free."""
            return min((width - 2 * margin - right) / extent[0], (height - margin - top - bottom) / extent[1])

        vertical = zoom(beside, 0.0) >= zoom(0.0, below)
        right, bottom = (beside, 0.0) if vertical else (0.0, below)
        scale = zoom(right, bottom)
        # The scale bar stays close to a narrow model.
        side = (width - right + scale * extent[0]) / 2 + 24 * k
        # The middle of the room for the bodies, in pixels from the middle of the view, is the middle of the box.
        off = -right / 2, (bottom - top + margin) / 2
        focus = [(x0 + x1) / 2 - off[0] / scale, (y0 + y1) / 2 - off[1] / scale]
        view = self.view
        view.CameraParallelProjection = 1
        across, up, towards = self.survey.axes
        middle = focus[0] * across + focus[1] * up
        if self.in_space:
            # At the depth of the bodies, or turning the view would carry them away.
            centre = [(low + high) / 2 for low, high in zip(self.box[::2], self.box[1::2])]
            middle = middle + (towards @ centre) * towards
            view.CenterOfRotation = centre
        else:
            view.CenterOfRotation = [*focus, 0.0]
        view.CameraFocalPoint = [float(x) for x in middle]
        view.CameraPosition = [float(x) for x in middle + (10.0 if self.in_space else 4.0) * self.survey.size * towards]
        view.CameraViewUp = [float(x) for x in up]
        view.CameraParallelScale = height / 2 / scale
        self.legend(k, vertical, side, (width, height))
        self.words(k, margin, (width, height))

    def legend(self, k, vertical, side, size):
        bar = self.bar
        name, component = self.survey.array, self.survey.component
        word, _, unit = LABELS.get(name, name).partition(" [")
        unit = unit if self.folder.has_units else ""
        if component and component != "Magnitude":
            word = f"{word} {component}"
        bar.Title, bar.ComponentTitle = f"{word} [{unit}" if unit else word, ""
        bar.AutoOrient, bar.Orientation = 0, "Vertical" if vertical else "Horizontal"
        bar.HorizontalTitle = 1
        bar.TitleJustification = "Left" if vertical else "Centered"
        bar.TitleColor = bar.LabelColor = list(INK)
        bar.TitleFontSize, bar.LabelFontSize = round(14 * k), round(13 * k)
        bar.TitleBold = bar.LabelBold = bar.TitleItalic = bar.LabelItalic = 0
        bar.ScalarBarThickness = round(14 * k)
        bar.DrawScalarBarOutline, bar.ScalarBarOutlineColor = 1, [0.6] * 3
        bar.AutomaticLabelFormat, bar.LabelFormat = 0, "%g"
        bar.AddRangeLabels, bar.UseCustomLabels = 0, 1
        low, high = self.limits
        step = round_down((high - low) / 3.5)
        bar.CustomLabels = [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)]
        bar.WindowLocation = "Any Location"
        width, height = size
        if vertical:
            bar.ScalarBarLength = 0.62
            bar.Position = [side / width, 0.14]
        else:
            bar.ScalarBarLength = 0.5
            bar.Position = [0.25, 18 * k / height]

    def words(self, k, margin, size):
        """Title, what is shown and how large, time."""
        width, height = size
        simple, view = self.simple, self.view
        # Glyphs of Arial are about half as wide as high.
        title_size = min(19 * k, (width - 2 * margin - 130 * k) / (0.52 * max(len(self.folder.title), 1)))
        about = []
        if self.automatic and self.scale != 1.0:
            about.append(f"displacements magnified {self.scale:g} times (automatic)")
        elif self.scale != 1.0:
            about.append(f"displacements magnified {self.scale:g} times")
        else:
            about.append("displacements to scale")
        if self.survey.hides:
            about.append("bodies see-through")
        if self.arrows:
            longest = with_prefix(self.survey.force, "N") if self.folder.has_units else f"{self.survey.force:.3g}"
            over = ", drawn over the bodies" if self.over else ""
            about.append(f"arrows: contact forces on the candidates' side{over}, longest of the run {longest}")
        about = ";  ".join(about)
        about_size = min(13 * k, (width - 2 * margin) / (0.5 * len(about)))
        for name, text, font, y, bold in (
            ("title", self.folder.title, title_size, height - 34 * k, 1),
            ("explanation", about, about_size, height - 56 * k, 0),
        ):
            source = self.name(simple.Text(Text=text), name)
            self.label_at(source, (margin / width, y / height), font, bold)
        duration = self.folder.times[-1]
        scales = ((1.0 / 3.15576e13, "Myr"), (1.0 / 3.15576e7, "years"), (1.0, "s"), (1e3, "ms"))
        factor, unit = next(((f, u) for f, u in scales if duration * f >= 0.5), (1e6, "µs"))
        factor, unit = (factor, unit) if self.folder.has_units else (1.0, "")
        note = simple.AnnotateTimeFilter(Input=self.warp)
        # Older versions take printf's formats.
        digits = max(0, 4 - len(str(int(duration * factor))))
        number = f"{{time:.{digits}f}}" if "{" in note.Format else f"%.{digits}f"
        note.Format, note.Scale = f"t = {number} {unit}".rstrip(), factor
        self.name(note, "time")
        self.label_at(note, ((width - margin - 125 * k) / width, (height - 34 * k) / height), 16 * k, 0)

    def label_at(self, source, position, font, bold):
        self.show(
            source, WindowLocation="Any Location", Position=list(position), FontSize=max(1, int(font)), Bold=bold,
            Color=INK, FontFamily="Arial", Justification="Left",
        )


def open_readers(simple):
    """Collections that are open in ParaView, by path."""
    found = {}
    for source in simple.GetSources().values():
        name = getattr(source, "FileName", None)
        if isinstance(name, str) and Path(name).name in ("fields.pvd", "contacts.pvd", "obstacles.pvd"):
            found[Path(name)] = source
    return found


def in_paraview():
    """The macro: shows the folder in the active view."""
    from paraview import print_error, simple

    try:
        readers = open_readers(simple)
        active = getattr(simple.GetActiveSource(), "FileName", "")
        chosen = Path(active) if isinstance(active, str) and Path(active) in readers else next(iter(readers), None)
        path = RESULTS or os.environ.get("DELASSUS_RESULTS") or (chosen and chosen.parent)
        if not path:
            raise Trouble("open fields.pvd of a results folder first (File > Open), then run this macro again")
        scene = Scene(Survey(Folder(path), FIELD), SCALE, readers)
        scene.draw(simple.GetActiveViewOrCreate("RenderView"))
        if scene.survey.tiny and not scene.automatic:
            print(f'displacements are tiny: with SCALE = "auto" they are magnified {scene.survey.offer:g} times')
        simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
        simple.SetActiveSource(scene.warp)
        simple.Render()
    except Trouble as trouble:
        print_error(f"error: {trouble}")


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="open_results.py", description="Draws a results folder with ParaView.")
    parser.add_argument("results", metavar="RESULTS", help="results folder of a run")
    parser.add_argument("--picture", metavar="FILE", help="write a picture (PNG)")
    parser.add_argument("--describe", action="store_true", help="print what is shown, as JSON")
    parser.add_argument("--field", default=FIELD, help="array and component: von_mises (default), stress:XX, velocity, ...")
    parser.add_argument("--scale", default=SCALE, help="magnification of the displacements, a number or `auto` (default 1)")
    parser.add_argument("--size", default="900x500", metavar="WxH", help="size of the picture in pixels (default 900x500)")
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--time", type=float, metavar="T", help="the frame nearest to this time [s]")
    when.add_argument("--frame", type=int, metavar="N", help="frame number; the first is 0, the last -1")
    when.add_argument("--last", action="store_true", help="the last frame (default)")
    options = parser.parse_args(arguments)
    if not options.picture and not options.describe:
        raise Trouble("nothing to do: give --picture FILE or --describe")
    try:
        options.width, options.height = (int(n) for n in options.size.split("x"))
    except ValueError:
        options.width = 0
    if not options.width or not (100 <= options.width <= 10000 and 100 <= options.height <= 10000):
        raise Trouble(f"--size is `{options.size}`, expected WIDTHxHEIGHT with 100 to 10000 pixels each, as 900x500")
    try:
        right = options.scale == "auto" or (float(options.scale) >= 0.0 and math.isfinite(float(options.scale)))
    except ValueError:
        right = False
    if not right:
        raise Trouble(f"--scale is `{options.scale}`, expected a number that is not negative, or `auto`")
    if options.time is not None and not math.isfinite(options.time):
        raise Trouble(f"--time is {options.time}, expected seconds")
    if options.picture:
        if not options.picture.lower().endswith(".png"):
            raise Trouble(f"the picture `{options.picture}` must end in .png")
        if not Path(options.picture).resolve().parent.is_dir():
            raise Trouble(f"the folder of the picture `{options.picture}` does not exist")
    return options


def on_command_line(arguments):
    try:
        options = options_of(arguments)
        folder = Folder(options.results)
        frame = folder.frame(options)
        survey = Survey(folder, options.field)
        if options.picture:
            need_display(options.width, options.height)
        scene = Scene(survey, options.scale)
        described = scene.describe(frame)
        if options.picture:
            save(scene, folder.times[frame], options)
            # Where a point is in the picture, by the first two axes: focus is its middle.
            described["focus"] = [float(axis @ list(scene.view.CameraFocalPoint)) for axis in survey.axes[:2]]
            described["pixels_per_metre"] = options.height / 2 / scene.view.CameraParallelScale
        if options.describe:
            print(json.dumps(described, indent=1))
        elif scene.survey.tiny and not scene.automatic:
            print(f"displacements are tiny: --scale auto would magnify them {scene.survey.offer:g} times")
    except Trouble as trouble:
        print(f"error: {trouble}", file=sys.stderr)
        return 2
    return 0


def save(scene, time, options):
    simple = scene.simple
    view = simple.CreateView("RenderView")
    view.ViewSize = [options.width, options.height]
    scene.bring_forward()
    scene.draw(view)
    view.ViewTime = time
    simple.Render(view)
    # Written aside: a picture that is there is whole.
    aside = f"{options.picture}.{os.getpid()}.png"
    done = simple.SaveScreenshot(aside, view, ImageResolution=[options.width, options.height])
    if not done or not Path(aside).is_file():
        raise Trouble(f"ParaView could not write `{options.picture}`")
    os.replace(aside, options.picture)


def main():
    # pvpython passes its script on; the program with windows has no arguments for us.
    if not sys.argv or not sys.argv[0].endswith(".py"):
        return in_paraview()
    code = on_command_line(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    # Everything is written. Some builds of ParaView end with an error of X when they tear down their window.
    os._exit(code)


# The Python shell of ParaView has a name of its own.
if __name__ in ("__main__", "__vtkconsole__"):
    main()
