"""Obstacles, outlines in the plane and faces in space: where they must be at every frame, by the motion of the case."""

import numpy as np
from support import ROOT, Frame, assert_meshio_agrees, close, read_pvd, run_case

# A block that hovers among a floor that rises, a disk that passes by and a square that turns about its corner.
CASE = """(
    title: "Outlines",
    kinematics: SmallStrain,
    materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1e3, poisson: 0.3))],
    bodies: [(name: "block", mesh: Rectangle(corner: (-0.5, 1.0), size: (1.0, 0.5), cells: (2, 1)), material: "m",
              velocity: (0.25, 0.0))],
    obstacles: [
        (name: "idle", shape: Circle(centre: (50.0, 0.0), radius: 1.0)),
        (name: "floor", shape: HalfPlane(point: (7.0, -1.0), normal: (0.0, 3.0)), velocity: (y: 0.5)),
        (name: "disk", shape: Circle(centre: (5.0, 0.0), radius: 0.75), velocity: (x: -1.0), spin: 2.0, pivot: (5.0, 0.0)),
        (name: "square", shape: Polygon(points: [(-5, 0), (-4, 0), (-4, 1), (-5, 1)]), spin: 0.5, pivot: (-5.0, 0.0)),
    ],
    contacts: [
        (name: "a", candidates: (body: "block", group: "bottom"), antagonists: Obstacle("floor"), law: Frictionless),
        (name: "b", candidates: (body: "block", group: "right"), antagonists: Obstacle("disk"), law: Frictionless),
        (name: "c", candidates: (body: "block", group: "left"), antagonists: Obstacle("square"), law: Frictionless),
        (name: "d", candidates: (body: "block", group: "top"), antagonists: Obstacle("floor"), law: Frictionless),
    ],
    integrator: Theta(theta: 0.5),
    step: 0.01,
    duration: 0.2,
    output: (every: 5),
)"""

# The same in space: a floor, a ball that passes by, a drum that turns about a slanted axis through its centre, a box, a pipe around all, and a cube from a file, half as long
# and turned.
SPACE = """(
    title: "Faces",
    kinematics: SmallStrain,
    dimension: 3,
    materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1e3, poisson: 0.3))],
    bodies: [(name: "block", mesh: Box(corner: (-0.5, 1.0, -0.5), size: (1.0, 0.5, 2.0), cells: (2, 1, 1)), material: "m")],
    obstacles: [
        (name: "floor", shape: HalfSpace(point: (7.0, -1.0, 3.0), normal: (0.0, 3.0, 0.0)), velocity: (y: 0.5)),
        (name: "ball", shape: Sphere(centre: (5.0, 0.0, 1.0), radius: 0.75), velocity: (x: -1.0, z: 2.0)),
        (name: "drum", shape: Cylinder(centre: (-5, 0, 0), axis: (0, 0, 1), radius: 0.5, length: 2), spin: 0.5, spin_axis: (1, 0, 0),
         pivot: (-5, 0, 0)),
        (name: "box", shape: Box(centre: (0, -5, 0), size: (1, 2, 3), rotation: 90, rotation_axis: (0, 0, 1))),
        (name: "pipe", shape: Bore(point: (0, 0, 9), axis: (0, 0, 1), radius: 20)),
        (name: "cube", shape: Mesh(file: "cube.obj", solid: Inside, scale: Mm(500), rotation: -90, rotation_axis: (1, 0, 0), translation: (0, -3, 2))),
    ],
    contacts: [
        (name: "a", candidates: (body: "block", group: "bottom"), antagonists: Obstacle("floor"), law: Frictionless),
        (name: "b", candidates: (body: "block", group: "right"), antagonists: Obstacle("ball"), law: Frictionless),
        (name: "c", candidates: (body: "block", group: "left"), antagonists: Obstacle("drum"), law: Frictionless),
        (name: "d", candidates: (body: "block", group: "top"), antagonists: Obstacle("box"), law: Frictionless),
        (name: "e", candidates: (body: "block", group: "front"), antagonists: Obstacle("pipe"), law: Frictionless),
        (name: "f", candidates: (body: "block", group: "back"), antagonists: Obstacle("cube"), law: Frictionless),
    ],
    integrator: Theta(theta: 0.5),
    step: 0.01,
    duration: 0.2,
    output: (every: 5),
)"""

# A cube from 0 to 1.
CUBE = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6
"""

EXPECTED = 13


class Run:
    def __init__(self, folder, name, text):
        case = folder / f"{name}.ron"
        case.write_text(text)
        run_case(case, folder / name)
        listed = read_pvd(folder / name / "obstacles.pvd")
        self.paths = [path for _, path in listed]
        self.times = [time for time, _ in listed]
        self.frames = [Frame(path) for path in self.paths]
        self.fields = [time for time, _ in read_pvd(folder / name / "fields.pvd")]

    def faces(self, number):
        """(time, corners of each face) of an obstacle, by frames."""
        for time, frame in zip(self.times, self.frames):
            chosen = np.flatnonzero(frame.cell_data["obstacle"] == number)
            yield time, [frame.points[frame.cells[i]] for i in chosen]

    def lines(self, number):
        """(time, ends of the lines) of an obstacle, by frames."""
        for time, frame in zip(self.times, self.frames):
            chosen = np.flatnonzero(frame.cell_data["obstacle"] == number)
            yield time, np.array([frame.points[frame.cells[i]] for i in chosen])


def frames_are_those_of_the_fields(run):
    assert run.times == run.fields and len(run.times) == 5
    for time, frame in zip(run.times, run.frames):
        assert frame.time == time and set(frame.types) == {3}
        # Each obstacle once, though two pairs name the floor; one that nothing can touch is left out.
        counts = np.bincount(frame.cell_data["obstacle"]).tolist()
        assert counts == [0, 1, 96, 4], counts


def meshio_reads_the_same_bits(run):
    for path, frame in zip(run.paths, run.frames):
        assert_meshio_agrees(path, frame)


def the_floor_rises_below_the_block(run):
    for time, lines in run.lines(1):
        close("height", lines[..., 1], -1.0 + 0.5 * time, 1e-14)
        # The block's shadow, 1 m long, and a tenth more on either side.
        close("ends", np.sort(lines[0, :, 0]), np.array([-0.6, 0.6]) + 0.25 * time, 1e-12)


def the_disk_passes_by(run):
    for time, lines in run.lines(2):
        off = lines - [5.0 - time, 0.0, 0.0]
        close("radius", np.linalg.norm(off, axis=2), 0.75, 1e-13)
        close("closed", lines[:, 1], np.roll(lines[:, 0], -1, axis=0), 0.0)


def the_square_turns(run):
    for time, lines in run.lines(3):
        c, s = np.cos(0.5 * time), np.sin(0.5 * time)
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) @ np.array([[c, s], [-s, c]]) + [-5.0, 0.0]
        for corner in corners:
            near = np.linalg.norm(lines[:, :, :2] - corner, axis=2)
            assert np.count_nonzero(near < 1e-13) == 2, f"t = {time}: two lines meet at {corner}"


def area_and_volume(faces):
    """Area of faces, and the volume they enclose if they look outwards."""
    area = volume = 0.0
    for x in faces:
        for k in range(1, len(x) - 1):
            a, b, c = x[0], x[k], x[k + 1]
            area += 0.5 * np.linalg.norm(np.cross(b - a, c - a))
            volume += np.dot(a, np.cross(b, c)) / 6
    return area, volume


def cells_in_space_are_faces(space):
    assert space.times == space.fields and len(space.times) == 5
    for frame in space.frames:
        assert set(frame.types) == {5, 9}, set(frame.types)
        assert set(frame.cell_data["obstacle"]) == {0, 1, 2, 3, 4, 5}
    for path, frame in zip(space.paths, space.frames):
        assert_meshio_agrees(path, frame)


def the_floor_in_space_lies_below_the_block(space):
    for time, faces in space.faces(0):
        (x,) = faces
        close("height", x[:, 1], -1.0 + 0.5 * time, 1e-14)
        # The block's shadow, 1 m x 2 m, and a tenth of the longer side more all round.
        close("area", area_and_volume(faces)[0], 1.4 * 2.4, 1e-12)


def the_ball_passes_by(space):
    for time, faces in space.faces(1):
        points = np.concatenate(faces)
        close("radius", np.linalg.norm(points - [5.0 - time, 0.0, 1.0 + 2.0 * time], axis=1), 0.75, 1e-13)
        area, volume = area_and_volume(faces)
        # Inscribed, of 48 x 24 faces.
        assert 0.99 < area / (4 * np.pi * 0.75**2) < 1 and 0.98 < volume / (4 / 3 * np.pi * 0.75**3) < 1, (area, volume)


def the_drum_turns_about_x(space):
    for time, faces in space.faces(2):
        axis = np.array([0.0, -np.sin(0.5 * time), np.cos(0.5 * time)])
        points = np.concatenate(faces) - [-5.0, 0.0, 0.0]
        along = points @ axis
        close("ends", np.abs(along), 1.0, 1e-13)
        off = np.linalg.norm(points - np.outer(along, axis), axis=1)
        assert np.all((np.abs(off - 0.5) < 1e-13) | (off < 1e-13)), "on the rim, or in the middle of an end"
        assert 0.99 < area_and_volume(faces)[1] / (0.5 * np.pi) < 1


def the_box_stands_and_the_pipe_is_as_long_as_the_block(space):
    for _, faces in space.faces(3):
        points = np.concatenate(faces)
        close("box", np.ptp(points, axis=0), [2.0, 1.0, 3.0], 1e-13)
        close("volume", area_and_volume(faces)[1], 6.0, 1e-12)
    for _, faces in space.faces(4):
        points = np.concatenate(faces)
        close("pipe", np.hypot(points[:, 0], points[:, 1]), 20.0, 1e-13)
        close("ends", [points[:, 2].min(), points[:, 2].max()], [-0.7, 1.7], 1e-12)


def no_obstacles_no_file(run, folder):
    case = folder / "free.ron"
    start, end = CASE.index("    obstacles: ["), CASE.index("    integrator")
    case.write_text(CASE[:start] + CASE[end:])
    run_case(case, folder / "free")
    assert not (folder / "free" / "obstacles.pvd").exists() and not (folder / "free" / "obstacles").exists()


def the_ground_in_space_is_a_rectangle_that_faces_the_block(folder):
    case = ROOT / "cases" / "block-slide-3d.ron"
    run_case(case, folder / "ground", "--set", "duration=0.02", "--set", "verify=(checks: [])")
    fields, obstacles = (read_pvd(folder / "ground" / f"{name}.pvd") for name in ("fields", "obstacles"))
    assert [time for time, _ in fields] == [time for time, _ in obstacles] and len(fields) == 6
    for (_, bodies), (_, path) in zip(fields, obstacles):
        body, ground = Frame(bodies), Frame(path)
        assert_meshio_agrees(path, ground)
        assert ground.types == [9] and ground.cell_data["obstacle"].tolist() == [0]
        x = ground.points[ground.cells[0]]
        close("height", x[:, 1], 0.0, 1e-15)
        # Counter-clockwise seen from above, from where the block is.
        normal = np.cross(x[1] - x[0], x[2] - x[1])
        assert normal[1] > 0.0 and np.allclose(normal[[0, 2]], 0.0)
        deformed = body.points + body.point_data["displacement"]
        shadow = [(deformed[:, k].min(), deformed[:, k].max()) for k in (0, 2)]
        margin = 0.1 * max(high - low for low, high in shadow)
        for k, (low, high) in zip((0, 2), shadow):
            close("ends", [x[:, k].min(), x[:, k].max()], [low - margin, high + margin], 1e-12)


def the_cube_of_a_file_is_in_its_place(space):
    """(x, y, z) of the file, 1 m long, became (x, z, -y) / 2, shifted."""
    for _, faces in space.faces(5):
        x = np.concatenate(faces)
        close("lowest", x.min(axis=0), [0.0, -3.0, 1.5], 1e-14)
        close("highest", x.max(axis=0), [0.5, -2.5, 2.0], 1e-14)
        close("area and volume", np.array(area_and_volume(faces)), np.array([6 * 0.25, 0.125]), 1e-12)


def cases(folder):
    (folder / "cube.obj").write_text(CUBE)
    run, space = Run(folder, "out", CASE), Run(folder, "space", SPACE)
    checks = [
        frames_are_those_of_the_fields, meshio_reads_the_same_bits, the_floor_rises_below_the_block, the_disk_passes_by,
        the_square_turns,
    ]
    in_space = [
        cells_in_space_are_faces, the_floor_in_space_lies_below_the_block, the_ball_passes_by, the_drum_turns_about_x,
        the_box_stands_and_the_pipe_is_as_long_as_the_block, the_cube_of_a_file_is_in_its_place,
    ]
    named = [(check.__name__, lambda check=check: check(run)) for check in checks]
    named += [(check.__name__, lambda check=check: check(space)) for check in in_space]
    ground = the_ground_in_space_is_a_rectangle_that_faces_the_block
    named.append((ground.__name__, lambda: ground(folder)))
    return [*named, ("no_obstacles_no_file", lambda: no_obstacles_no_file(run, folder))]
