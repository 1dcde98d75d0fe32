"""`delassus export`, read by VTK: named blocks (blocks.pvd, .vtm) and VTKHDF (fields.vtkhdf) against the frames of fields.pvd and contacts.pvd, bit for bit."""

import subprocess

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkCommonDataModel import vtkCompositeDataSet
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOXML import vtkXMLMultiBlockDataReader

from support import ROOT, Frame, read_pvd, run_case, same, tool

EXPECTED = 7

# The bodies, renamed: a space in a name.
NAMES = {"left": "left bar", "right": "right"}


def quiet(read):
    """What a reader gives; anything that VTK says is a failure."""
    window = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    out = read()
    assert not window.GetOutput(), window.GetOutput()
    return out


def arrays(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)).copy() for i in range(data.GetNumberOfArrays())}


def nodes(grid):
    return [[grid.GetCell(i).GetPointId(k) for k in range(grid.GetCell(i).GetNumberOfPoints())] for i in range(grid.GetNumberOfCells())]


class Exports:
    def __init__(self, folder):
        text = (ROOT / "cases/bars-impact.ron").read_text(encoding="utf-8")
        # The groups of the meshes are called left and right as well.
        text = text.replace('name: "left",', 'name: "left bar",').replace('body: "left"', 'body: "left bar"').replace('Body("left")', 'Body("left bar")')
        case = folder / "case.ron"
        case.write_text(text, encoding="utf-8")
        self.folder = folder / "out"
        run_case(case, self.folder, "--set", "output=(every: 10)")
        for option in ([], ["--vtkhdf"]):
            done = subprocess.run([tool("DELASSUS"), "export", str(self.folder), *option], capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stdout + done.stderr
        self.listed = read_pvd(self.folder / "fields.pvd")
        self.frames = [Frame(path) for _, path in self.listed]
        self.contacts = [Frame(path) for _, path in read_pvd(self.folder / "contacts.pvd")]
        assert len(self.frames) == 10
        reader = vtkHDFReader()
        reader.SetFileName(str(self.folder / "fields.vtkhdf"))
        quiet(reader.UpdateInformation)
        self.reader = reader

    def step(self, k):
        """Frame k of the VTKHDF file."""
        self.reader.SetStep(k)
        quiet(self.reader.Update)
        return self.reader.GetOutputDataObject(0)

    def blocks(self):
        """(time, {block: {name: grid}}) of every frame."""
        for time, path in read_pvd(self.folder / "blocks.pvd"):
            reader = vtkXMLMultiBlockDataReader()
            reader.SetFileName(str(path))
            quiet(reader.Update)
            tree = reader.GetOutput()
            found = {}
            for i in range(tree.GetNumberOfBlocks()):
                inner = tree.GetBlock(i)
                title = tree.GetMetaData(i).Get(vtkCompositeDataSet.NAME())
                parts = range(inner.GetNumberOfBlocks())
                found[title] = {inner.GetMetaData(k).Get(vtkCompositeDataSet.NAME()): inner.GetBlock(k) for k in parts}
            yield time, found


def hdf_has_the_times(run):
    info = run.reader.GetOutputInformation(0)
    times = info.Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    same("times", np.array(times), np.array([t for t, _ in run.listed]))


def hdf_has_the_mesh_of_every_frame(run):
    for k, frame in enumerate(run.frames):
        grid = run.step(k)
        same("points", vtk_to_numpy(grid.GetPoints().GetData()), frame.points)
        assert nodes(grid) == frame.cells
        assert [grid.GetCellType(i) for i in range(grid.GetNumberOfCells())] == frame.types


def hdf_has_the_arrays_of_every_frame(run):
    for k, frame in enumerate(run.frames):
        grid = run.step(k)
        for found, expected in ((arrays(grid.GetPointData()), frame.point_data), (arrays(grid.GetCellData()), frame.cell_data)):
            assert set(found) == set(expected), set(found) ^ set(expected)
            for name, values in expected.items():
                same(f"{name}, frame {k}", found[name], values)


def hdf_is_smaller_than_plain_frames(run):
    """The mesh is there once."""
    plain = sum(8 * array.size for frame in run.frames for array in frame.arrays().values())
    size = (run.folder / "fields.vtkhdf").stat().st_size
    assert size < 1.1 * plain + 40_000, f"{size} bytes, the numbers alone {plain}"


def blocks_have_the_names_of_the_case(run):
    times = []
    for time, found in run.blocks():
        times.append(time)
        assert list(found) == ["bodies", "contacts"], list(found)
        assert list(found["bodies"]) == list(NAMES.values()), list(found["bodies"])
        assert list(found["contacts"]) == ["faces"], list(found["contacts"])
    same("times", np.array(times), np.array([t for t, _ in run.listed]))


def blocks_of_bodies_have_the_arrays_of_the_frames(run):
    for (_, found), frame in zip(run.blocks(), run.frames):
        for k, grid in enumerate(found["bodies"].values()):
            chosen = np.flatnonzero(frame.cell_data["body"] == k)
            used = np.unique([n for c in chosen for n in frame.cells[c]])
            same("points", vtk_to_numpy(grid.GetPoints().GetData()), frame.points[used])
            assert nodes(grid) == [[int(np.searchsorted(used, n)) for n in frame.cells[c]] for c in chosen]
            for data, expected, rows in ((grid.GetPointData(), frame.point_data, used), (grid.GetCellData(), frame.cell_data, chosen)):
                assert set(arrays(data)) == set(expected)
                for name, values in arrays(data).items():
                    same(name, values, expected[name][rows])


def blocks_of_contacts_have_the_arrays_of_the_frames(run):
    for (_, found), frame in zip(run.blocks(), run.contacts):
        (grid,) = found["contacts"].values()
        assert grid.GetNumberOfPoints() == frame.n_points
        if frame.n_points:
            for name, values in arrays(grid.GetPointData()).items():
                same(name, values, frame.point_data[name])


CHECKS = [
    hdf_has_the_times, hdf_has_the_mesh_of_every_frame, hdf_has_the_arrays_of_every_frame, hdf_is_smaller_than_plain_frames,
    blocks_have_the_names_of_the_case, blocks_of_bodies_have_the_arrays_of_the_frames, blocks_of_contacts_have_the_arrays_of_the_frames,
]


def cases(folder):
    run = Exports(folder)
    return [(check.__name__, lambda check=check: check(run)) for check in CHECKS]
