# A state of ParaView 5.11 or later: bodies warped by their displacement and coloured by the von Mises stress at the nodes, one block for each body by its name,
# contact pressure on the candidates' facets, contact forces as arrows, obstacles. Written by `delassus view`; it may be edited.
import csv
import os
import re

from paraview.simple import *  # noqa: F403

folder = FOLDER_OF_RESULTS
MOST_BLOCKS = 40


def names(kind):
    """(number, name) of the table of names."""
    try:
        with open(os.path.join(folder, "names.csv"), newline="", encoding="utf-8") as table:
            return [(int(row["number"]), row["name"]) for row in csv.DictReader(table) if row["kind"] == kind]
    except OSError:
        return []


def collection(name):
    """A collection of the folder, if it is there."""
    path = os.path.join(folder, name + ".pvd")
    if not os.path.isfile(path):
        return None
    reader = PVDReader(registrationName=name, FileName=path)
    times = reader.TimestepValues
    # The first frame has no contacts yet; a single time is no list.
    reader.UpdatePipeline(times[-1] if hasattr(times, "__len__") else times)
    return reader


def has(source, location, array):
    return array in (source.PointData if location == "POINTS" else source.CellData).keys()


def upwards():
    """The axis against gravity, with its sign; y where there is none."""
    try:
        with open(os.path.join(folder, "case.resolved.ron"), encoding="utf-8") as case:
            gravity = re.search(r"Gravity\(\s*acceleration:\s*[\[(]([^\])]*)", case.read())
        fall = [float(number) for number in gravity.group(1).split(",") if number.strip()]
        axis = max(range(len(fall)), key=lambda k: abs(fall[k]))
        return axis, -1.0 if fall[axis] > 0 else 1.0
    except (OSError, AttributeError, ValueError):
        return 1, 1.0


view = GetActiveViewOrCreate("RenderView")
fields = collection("fields")
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
GetAnimationScene().GoToLast()

colour = ("POINTS", "nodal_von_mises") if has(fields, "POINTS", "nodal_von_mises") else ("CELLS", "von_mises")
bodies = names("body")
warped = WarpByVector(registrationName="deformed", Input=fields)
warped.Vectors = ["POINTS", "displacement"]
if 1 < len(bodies) <= MOST_BLOCKS:
    for number, name in bodies:
        block = Threshold(registrationName=name, Input=warped)
        block.Scalars = ["CELLS", "body"]
        block.LowerThreshold = block.UpperThreshold = number
        shown = Show(block, view)
        ColorBy(shown, colour)
        shown.SetRepresentationType("Surface With Edges")
        shown.NonlinearSubdivisionLevel = 2
else:
    shown = Show(warped, view)
    ColorBy(shown, colour)
    shown.SetRepresentationType("Surface With Edges")
    shown.NonlinearSubdivisionLevel = 2
values = (fields.PointData if colour[0] == "POINTS" else fields.CellData)[colour[1]]
GetColorTransferFunction(colour[1]).RescaleTransferFunction(*values.GetRange(0))
shown.SetScalarBarVisibility(view, True)
scale = GetScalarBar(GetColorTransferFunction(colour[1]), view)
scale.Title, scale.ComponentTitle = "von Mises stress", ""
scale.TitleFontSize, scale.LabelFontSize, scale.ScalarBarLength = 14, 12, 0.4

surfaces = collection("contact_surfaces")
if surfaces is not None:
    pressed = WarpByVector(registrationName="contact pressure", Input=surfaces)
    pressed.Vectors = ["POINTS", "displacement"]
    shown = Show(pressed, view)
    ColorBy(shown, ("POINTS", "contact_pressure"))
    shown.LineWidth = 5
    Hide(pressed, view)

contacts = collection("contacts")
if contacts is not None and has(contacts, "POINTS", "force"):
    arrows = Glyph(registrationName="contact forces", Input=contacts, GlyphType="Arrow")
    arrows.OrientationArray = ["POINTS", "force"]
    arrows.ScaleArray = ["POINTS", "force"]
    arrows.GlyphMode = "All Points"
    low, high = fields.GetDataInformation().GetBounds()[0::2], fields.GetDataInformation().GetBounds()[1::2]
    extent = max(b - a for a, b in zip(low, high))
    largest = max((abs(x) for k in range(3) for x in contacts.PointData["force"].GetRange(k)), default=0.0)
    arrows.ScaleFactor = 0.15 * extent / largest if largest > 0 else 1.0
    shown = Show(arrows, view)
    shown.ColorArrayName = ["POINTS", ""]
    shown.AmbientColor = shown.DiffuseColor = [0.84, 0.21, 0.02]

obstacles = collection("obstacles")
if obstacles is not None:
    shown = Show(obstacles, view)
    shown.ColorArrayName = ["POINTS", ""]
    shown.AmbientColor = shown.DiffuseColor = [0.45, 0.42, 0.38]

low, high = warped.GetDataInformation().GetBounds()[0::2], warped.GetDataInformation().GetBounds()[1::2]
if high[2] - low[2] > 1e-9 * max(b - a for a, b in zip(low, high)):
    # Bodies in space: from the front, the right and above.
    axis, sign = upwards()
    up, aside = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    up[axis], aside[0 if axis != 0 else 1] = sign, 0.6
    front = [b * c - d * e for b, c, d, e in zip(aside[1:] + aside[:1], up[2:] + up[:2], aside[2:] + aside[:2], up[1:] + up[:1])]
    centre = [0.5 * (a + b) for a, b in zip(low, high)]
    extent = max(b - a for a, b in zip(low, high))
    view.CameraFocalPoint = centre
    view.CameraPosition = [c + 3 * extent * (s + 0.5 * u + f / 0.6) for c, s, u, f in zip(centre, aside, up, front)]
    view.CameraViewUp = up
ResetCamera(view)
Render(view)
