"""Small pictures of report pages for the gallery. Called by scripts/make-gallery.

    python scripts/clients/report_pictures.py results/* --out docs/images

Writes OUT/NAME-report.png for each folder NAME that has a report.html: the top of the page, half size, few colours.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from PIL import Image

from browser import Browser

WIDTH, HEIGHT = 1280, 1900
COLOURS = 256


def main():
    parser = argparse.ArgumentParser(description="Small pictures of report pages.")
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULTS")
    parser.add_argument("--out", type=Path, default=Path("docs/images"), help="folder of the pictures")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        for results in options.results:
            page = results / "report.html"
            if not page.is_file():
                sys.exit(f"{page} is not there: run the case with --report")
            whole = Path(folder) / "page.png"
            browser.open(page, WIDTH)
            browser.screenshot(whole)
            with Image.open(whole) as file:
                top = file.convert("RGB").crop((0, 0, file.width, min(file.height, HEIGHT * file.width // WIDTH)))
            small = top.resize((WIDTH // 2, top.height * (WIDTH // 2) // top.width), Image.Resampling.LANCZOS)
            target = options.out / f"{results.resolve().name}-report.png"
            small.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(target, optimize=True)
            print(f"{target}: {target.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
