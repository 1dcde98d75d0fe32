"""Client tests: what other people's programs make of our files, and we of theirs.

    DELASSUS=<binary> MESH_INFO=<example mesh_info> python scripts/clients/run.py

scripts/test builds both and calls this. Every case that was planned must run: a suite that comes up with fewer cases
than it expects fails.
"""

import importlib
import sys
import tempfile
import time
import traceback
from pathlib import Path

SUITES = ["vtk_frames", "vtk_quantities", "vtk_fields", "vtk_exports", "vtk_obstacles", "gmsh_samples", "gmsh_round_trip", "gmsh_case", "mesh_formats", "browser_report", "paraview_results", "fclib_files", "kill_and_resume", "soak", "mutants"]


def main():
    passed, failed = 0, []
    for name in SUITES:
        start = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix=f"delassus-{name}-") as folder:
            ran = 0
            try:
                suite = importlib.import_module(name)
                for case, check in suite.cases(Path(folder)):
                    ran += 1
                    try:
                        check()
                        passed += 1
                    except Exception:
                        failed.append(f"{name}: {case}\n{traceback.format_exc()}")
                if ran < suite.EXPECTED:
                    failed.append(f"{name}: {ran} cases, {suite.EXPECTED} expected")
            except Exception:
                failed.append(f"{name}: could not be prepared\n{traceback.format_exc()}")
        print(f"  {name}: {ran} cases, {time.perf_counter() - start:.1f} s", flush=True)
    for report in failed:
        print(f"\nFAILED {report}", flush=True)
    print(f"{passed} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
