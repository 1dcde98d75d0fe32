"""report.html in a real browser: it loads without a word on the console and without the network, every figure is there
and drawn, no label is cut off or on top of another, and it fits a narrow window and paper.

Pictures of the pages go to the folder DELASSUS_SCREENSHOTS, if that is set.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

import numpy as np

from browser import Browser
from support import ROOT, run_case, tool

# Figures every report of a run with contact has.
COMMON = ["fig-mesh-key", "fig-energy", "fig-ledger", "fig-losses", "fig-residual", "fig-penetration", "fig-active", "fig-iterations"]

# For every figure: its size on the page, how many strokes and fills it has, and the boxes of its texts in its own units.
FIGURES = """
[...document.querySelectorAll('svg')].map(svg => {
    const on_page = svg.getBoundingClientRect();
    const scale = on_page.width / svg.viewBox.baseVal.width;
    const box = e => {
        const b = e.getBoundingClientRect();
        return [b.left - on_page.left, b.top - on_page.top, b.right - on_page.left, b.bottom - on_page.top];
    };
    return {
        id: svg.id,
        width: on_page.width,
        height: on_page.height,
        shapes: [...svg.querySelectorAll('path, rect, line')].filter(e => {
            const b = e.getBoundingClientRect();
            return b.width + b.height > 0;
        }).length,
        texts: [...svg.querySelectorAll('text')].map(e => ({text: e.textContent, box: box(e)})),
        scale,
    };
})
"""


def block(folder):
    """The first example of docs/case-format.md: gravity, friction, an obstacle, no exact solution."""
    guide = (ROOT / "docs" / "case-format.md").read_text()
    case = folder / "block.ron"
    case.write_text(re.search(r"```ron\n(.*?)```", guide, re.DOTALL).group(1))
    return case


def pixels(path):
    reader = vtkPNGReader()
    reader.SetFileName(str(path))
    reader.Update()
    return vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())


def check_quiet(browser, page):
    assert browser.complaints() == [], browser.complaints()
    assert browser.requests() == [page.resolve().as_uri()], browser.requests()


def check_texts(figure):
    """Every label lies inside its figure and off all others."""
    # A pixel for rounding and the overhang of letters.
    slack = 1.0
    for t in figure["texts"]:
        left, top, right, bottom = t["box"]
        inside = left >= -slack and top >= -slack
        inside = inside and right <= figure["width"] + slack and bottom <= figure["height"] + slack
        assert inside, f"{figure['id']}: `{t['text']}` is cut off, {t['box']} of {figure['width']} x {figure['height']}"
    for i, a in enumerate(figure["texts"]):
        for b in figure["texts"][:i]:
            wide = min(a["box"][2], b["box"][2]) - max(a["box"][0], b["box"][0])
            # Boxes of lines include the room above and below the letters.
            high = min(a["box"][3], b["box"][3]) - max(a["box"][1], b["box"][1])
            clear = wide <= slack or high <= 0.35 * min(t["box"][3] - t["box"][1] for t in (a, b))
            assert clear, f"{figure['id']}: `{a['text']}` and `{b['text']}` are on top of each other"


def check_figures(browser, expected):
    figures = browser.run(FIGURES)
    assert sorted(f["id"] for f in figures) == sorted(expected), [f["id"] for f in figures]
    for f in figures:
        assert f["width"] >= 200 and f["height"] >= 40, f"{f['id']}: {f['width']} x {f['height']}"
        assert f["shapes"] >= 4, f"{f['id']}: {f['shapes']} shapes are drawn"
        check_texts(f)


def check_page(browser, folder, name, expected, word):
    page = folder / name / "report.html"
    browser.open(page, 1280)
    check_quiet(browser, page)
    assert browser.run("document.querySelector('#verdict strong').textContent") == word
    check_figures(browser, expected)
    picture = folder / f"{name}.png"
    browser.screenshot(picture)
    keep(picture)
    colours = pixels(picture)
    assert len(colours) > 1280 * 2000, f"{len(colours)} pixels"
    ink = float(np.mean(np.any(colours[:, :3] < 200, axis=1)))
    assert 0.005 < ink < 0.5, f"{100 * ink:.2f} % of the page is dark"
    # One number a colour: sorting rows of three would take most of the test's time.
    distinct = np.unique(colours[:, :3].astype(np.int32) @ [1 << 16, 1 << 8, 1])
    assert len(distinct) > 100, f"{len(distinct)} colours"


# What is wider than the room it has.
CUT = """
[...document.querySelectorAll('.wide, figure, table, td, th')].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0)
    .map(e => `${e.tagName} in ${e.closest('section')?.id}: ${e.scrollWidth} of ${e.clientWidth}`)
"""


def check_narrow(browser, folder, name):
    page = folder / name / "report.html"
    browser.open(page, 390)
    check_quiet(browser, page)
    width = browser.run("document.documentElement.scrollWidth")
    assert width <= 390, f"the page is {width} pixels wide in a window of 390"
    # Nor is a part of it to be scrolled to: tables and figures with their legends are whole.
    cut = browser.run(CUT)
    assert not cut, f"cut off in a window of 390: {cut}"
    picture = folder / f"{name}-narrow.png"
    browser.screenshot(picture)
    keep(picture)


def check_print(browser, folder, name):
    browser.open(folder / name / "report.html", 1280)
    pdf = browser.pdf()
    pages = len(re.findall(rb"/Type\s*/Page[^s]", pdf))
    assert pdf.startswith(b"%PDF") and 2 <= pages <= 12, f"{pages} pages"


# The fills of a picture that are on top at the points of a grid of ten pixels, and how dark they are.
ON_TOP = """
[...document.querySelectorAll('svg[id^=fig-mesh-]:not([id=fig-mesh-key])')].map(svg => {
    svg.scrollIntoView();
    const box = svg.getBoundingClientRect();
    const found = {};
    for (let x = box.left + 5; x < box.right; x += 10)
        for (let y = box.top + 5; y < box.bottom; y += 10)
            for (const e of document.elementsFromPoint(x, y)) {
                const fill = e.tagName == 'path' && e.getAttribute('fill');
                if (fill && fill.startsWith('#')) { found[fill] = (found[fill] || 0) + 1; break; }
            }
    return {width: box.width, height: box.height, found};
})
"""


def check_space(browser, folder, name):
    """Bodies in space fill a good part of each picture, in several colours: three sides at least, in different lights."""
    browser.open(folder / name / "report.html", 1280)
    pictures = browser.run(ON_TOP)
    assert len(pictures) == 6
    for k, picture in enumerate(pictures, 1):
        share = 100 * sum(picture["found"].values()) / (picture["width"] * picture["height"])
        assert 0.15 < share < 0.9, f"picture {k}: {share:.0%} is filled"
        large = [fill for fill, n in picture["found"].items() if 100 * n > 0.01 * picture["width"] * picture["height"]]
        assert len(large) >= 3, f"picture {k}: {picture['found']}"


def keep(picture):
    folder = os.environ.get("DELASSUS_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, folder)


def meshes(n):
    return [f"fig-mesh-{k}" for k in range(1, n + 1)]


def probes(n):
    return [f"fig-probe-{k}-{what}" for k in range(1, n + 1) for what in ("velocity", "displacement")]


def report_again(results):
    done = subprocess.run([tool("DELASSUS"), "report", str(results)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


EXPECTED = 16


def cases(folder):
    run_case(ROOT / "cases" / "bars-impact.ron", folder / "bars", "--report")
    run_case(block(folder), folder / "block", "--report")
    run_case(ROOT / "cases" / "hertz-cylinder.ron", folder / "hertz", "--report")
    run_case(ROOT / "cases" / "bars-impact-3d.ron", folder / "bars-3d", "--report")
    run_case(ROOT / "cases" / "block-slide-3d.ron", folder / "block-3d", "--report", "--set", "duration=0.05")
    # As a run that was killed leaves it.
    run_case(folder / "block.ron", folder / "killed", "--report")
    (folder / "killed" / "manifest.json").unlink()
    history = folder / "killed" / "history.csv"
    lines = history.read_text().splitlines(keepends=True)
    history.write_text("".join(lines[:470]))
    report_again(folder / "killed")
    figures = {
        "bars": [*COMMON, "fig-force-1", "fig-area-1", "fig-timings", *meshes(6), *probes(4)],
        "block": [*COMMON, "fig-slip-1", "fig-traction-1", "fig-force-1", "fig-area-1", "fig-timings", *meshes(6), *probes(1)],
        "hertz": [*COMMON, "fig-profile-1", "fig-force-1", "fig-area-1", "fig-timings", *meshes(6), *probes(1)],
        "bars-3d": [*COMMON, "fig-force-1", "fig-area-1", "fig-timings", *meshes(6), *probes(4)],
        "block-3d": [*COMMON, "fig-force-1", "fig-area-1", "fig-timings", *meshes(6), *probes(1)],
        "killed": [*COMMON, "fig-slip-1", "fig-traction-1", "fig-force-1", "fig-area-1", *meshes(6), *probes(1)],
    }
    words = {name: "Pass." for name in figures} | {"block-3d": "Failed.", "killed": "Unfinished."}
    with Browser() as browser:
        for name, expected in figures.items():
            yield f"{name}: wide", lambda: check_page(browser, folder, name, expected, words[name])
            yield f"{name}: narrow", lambda: check_narrow(browser, folder, name)
        for name in ["bars", "block"]:
            yield f"{name}: print", lambda: check_print(browser, folder, name)
        for name in ["bars-3d", "block-3d"]:
            yield f"{name}: bodies in space", lambda: check_space(browser, folder, name)
