"""What the client tests share: running the program, and reading its files with other people's readers."""

import csv
import json
import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import meshio
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

ROOT = Path(__file__).resolve().parents[2]

def tool(variable):
    """Path of a built program, from the environment (scripts/test sets it)."""
    path = os.environ.get(variable)
    if not path or not Path(path).is_file():
        raise SystemExit(f"{variable} must be the path of a built program, found `{path}`; scripts/test sets it")
    return path


def run_case(case, out, *arguments):
    """Runs a case into the folder `out`."""
    command = [tool("DELASSUS"), "run", str(case), "--out", str(out), "--no-progress", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def mesh_info(paths):
    """What our reader says of MSH files, by path."""
    done = subprocess.run([tool("MESH_INFO"), *map(str, paths)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr}"
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    assert [e["path"] for e in entries] == [str(p) for p in paths], "one line a file, in order"
    return {Path(e["path"]): e for e in entries}


class History:
    """history.csv by columns. With `unfinished` a last line without its end, cut by a kill, is left out."""

    def __init__(self, path, unfinished=False):
        with open(path, newline="") as file:
            lines = file.readlines()
        self.is_cut = unfinished and not lines[-1].endswith("\n")
        rows = list(csv.reader(lines[:-1] if self.is_cut else lines))
        self.names = rows[0]
        assert len(set(self.names)) == len(self.names), "column names are unique"
        self.table = np.array([[float(x) for x in row] for row in rows[1:]])
        assert self.table.shape[1] == len(self.names)

    def __getitem__(self, name):
        return self.table[:, self.names.index(name)]

    def __len__(self):
        return len(self.table)


def read_pvd(path):
    """(time, file) of a collection, in order."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == "VTKFile" and root.get("type") == "Collection", root.attrib
    (collection,) = root
    assert collection.tag == "Collection"
    return [(float(d.get("timestep")), path.parent / d.get("file")) for d in collection.iter("DataSet")]


class Frame:
    """One .vtu as VTK's reader sees it."""

    def __init__(self, path):
        # VTK reports trouble to a window and goes on; here everything it says is a failure.
        window = vtkStringOutputWindow()
        vtkOutputWindow.SetInstance(window)
        reader = vtkXMLUnstructuredGridReader()
        assert reader.CanReadFile(str(path)), f"VTK does not take {path}"
        reader.SetFileName(str(path))
        reader.Update()
        grid = reader.GetOutput()
        said = window.GetOutput()
        assert reader.GetErrorCode() == 0 and not said, f"{path}: VTK says {said}"
        self.n_points, self.n_cells = grid.GetNumberOfPoints(), grid.GetNumberOfCells()
        points = grid.GetPoints()
        self.points = vtk_to_numpy(points.GetData()).copy() if self.n_points else np.zeros((0, 3))
        self.types = [grid.GetCellType(i) for i in range(self.n_cells)]
        self.cells = [_ids(grid.GetCell(i)) for i in range(self.n_cells)]
        self.components = {}
        self.point_data = self._arrays(grid.GetPointData())
        self.cell_data = self._arrays(grid.GetCellData())
        time = grid.GetFieldData().GetArray("TimeValue")
        assert time is not None and time.GetNumberOfTuples() == 1, f"{path}: TimeValue"
        self.time = time.GetValue(0)

    def _arrays(self, data):
        out = {}
        for i in range(data.GetNumberOfArrays()):
            array = data.GetArray(i)
            n = array.GetNumberOfComponents()
            out[array.GetName()] = vtk_to_numpy(array).copy()
            self.components[array.GetName()] = [array.GetComponentName(k) for k in range(n)]
        return out

    def arrays(self):
        return {**self.point_data, **self.cell_data}


def _ids(cell):
    return [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]


# VTK's numbers of the cells meshio names.
MESHIO_TYPES = {"vertex": 1, "line": 3, "triangle": 5, "quad": 9}


def assert_meshio_agrees(path, frame):
    """meshio reads the same points, cells and arrays, bit for bit."""
    mesh = meshio.read(path)
    same("points", mesh.points, frame.points)
    blocks = [(MESHIO_TYPES[block.type], nodes) for block in mesh.cells for nodes in block.data.tolist()]
    assert blocks == list(zip(frame.types, frame.cells)), f"{path}: cells"
    assert set(mesh.point_data) == set(frame.point_data), f"{path}: {set(mesh.point_data)}"
    for name, array in mesh.point_data.items():
        same(name, array, frame.point_data[name])
    assert set(mesh.cell_data) == set(frame.cell_data), f"{path}: {set(mesh.cell_data)}"
    for name, parts in mesh.cell_data.items():
        same(name, np.concatenate(parts), frame.cell_data[name])


def same(what, found, expected):
    """Equal shapes and bits."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{what}: shape {found.shape}, expected {expected.shape}"
    assert found.dtype == expected.dtype, f"{what}: type {found.dtype}, expected {expected.dtype}"
    assert found.tobytes() == expected.tobytes(), f"{what}: {found} is not {expected}"


def close(what, found, expected, tolerance):
    """Equal within an absolute tolerance; NaN is never close."""
    error = float(np.max(np.abs(np.asarray(found) - np.asarray(expected)), initial=0.0))
    assert error <= tolerance, f"{what}: off by {error:.3e}, allowed {tolerance:.1e}; {found} and {expected}"
    return error
