"""Pictures for the gallery: draws results folders with ParaView and makes the files small. Used by hand.

    python3 scripts/paraview/pictures.py results/bars-impact results/blocks-gmsh --out docs/images

Writes OUT/NAME-paraview.png for each folder NAME. Needs pvpython (or PVPYTHON), and pillow for the small files: with a
palette of 256 colours a picture has a third of its size. How a case is best shown stands in SHOTS; another case is shown
at its last frame. Options after `--` go to open_results.py for all folders.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

# No compiled copy in the source tree.
sys.dont_write_bytecode = True
from open_results import PALE_TO_DARK, TWO_SIDED  # noqa: E402

MACRO = Path(__file__).resolve().parent / "open_results.py"
# Fewer colours cost a little: only for files of more bytes than this.
COLOURS, ENOUGH = 256, 40_000

# Options of open_results.py, by the name of the results folder.
SHOTS = {
    "bars-impact": ["--time", "3e-5", "--field", "stress:XX", "--scale", "auto"],
    "bars-impact-2d": ["--time", "4e-5", "--scale", "auto"],
    "cattaneo-mindlin": ["--last"],
    "cylinder-impact": ["--time", "2.64"],
    "cylinder-impact-times": ["--time", "2.1"],
    "hertz-cylinder": ["--last"],
    "incline": ["--last"],
    "oblique-impact": ["--time", "1e-3"],
    "sliding-block": ["--time", "0.1"],
    "blocks-gmsh": ["--time", "0.05"],
    "lmgc-cubes": ["--time", "4e-4", "--scale", "auto"],
    "bars-impact-3d": ["--time", "3e-5", "--field", "stress:XX", "--scale", "auto"],
    "block-slide-3d": ["--time", "0.1"],
    "two-blocks-pull": ["--last", "--field", "displacement:Y", "--scale", "auto"],
    "two-blocks-shear": ["--last", "--scale", "auto"],
    "double-cantilever": ["--last"],
    "bouncing-ball": ["--time", "0.68"],
    "spinning-plate": ["--time", "1.12"],
    "pendulum": ["--time", "0.36"],
    "rocking-block": ["--time", "0.1275"],
    "tumbling-block": ["--time", "0.09"],
    "rolling-disk": ["--time", "0.22"],
    "bracket-on-anvil": ["--time", "0.17"],
    "masonry-arch": ["--last", "--scale", "60"],
    # The picture at the head of README.md.
    "dome": ["--last", "--scale", "300", "--size", "1600x900"],
    "dome-cohesive": ["--last", "--scale", "20000"],
    "fibre-matrix": ["--last", "--field", "stress:ZZ", "--scale", "auto"],
}


def shrink(path):
    """Fewer colours, without dithering. The palette is made for the picture with wide scale bars beside it, or the few
    pixels of the dark end would get none."""
    try:
        from PIL import Image
    except ImportError:
        print(f"{path}: not made smaller, pillow is not installed", file=sys.stderr)
        return
    with Image.open(path) as file:
        image = file.convert("RGB")
    canvas = Image.new("RGB", (image.width, 2 * image.height))
    canvas.paste(image, (0, 0))
    for i, stops in enumerate((PALE_TO_DARK, TWO_SIDED)):
        ramp = Image.new("RGB", (len(stops), 1))
        ramp.putdata(stops)
        # Between the middles of the outer pixels: from the first colour to the last.
        inner = (0.5, 0.0, len(stops) - 0.5, 1.0)
        bar = ramp.resize((image.width, image.height // 2), Image.Resampling.BILINEAR, box=inner)
        canvas.paste(bar, (0, image.height + i * (image.height // 2)))
    palette = canvas.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
    small = image.quantize(palette=palette, dither=Image.Dither.NONE)
    # The palette may have only a grey close to the background.
    entries, at = small.getpalette(), 3 * small.getpixel((0, 0))
    entries[at : at + 3] = image.getpixel((0, 0))
    small.putpalette(entries)
    small.save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(description="Pictures of results folders for the gallery.")
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULTS")
    parser.add_argument("--out", type=Path, default=Path("docs/images"), help="folder of the pictures")
    own, rest = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, rest = own[:at], own[at + 1 :]
    options = parser.parse_args(own)
    options.out.mkdir(parents=True, exist_ok=True)
    for folder in options.results:
        name = folder.resolve().name
        path = options.out / f"{name}-paraview.png"
        command = [os.environ.get("PVPYTHON", "pvpython"), str(MACRO), str(folder), "--picture", str(path)]
        try:
            code = subprocess.run([*command, *(rest or SHOTS.get(name, ["--last"]))]).returncode
        except OSError as error:
            code = f"error: {command[0]} does not start: {error}"
        if code:
            return code
        if path.stat().st_size > ENOUGH:
            shrink(path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
