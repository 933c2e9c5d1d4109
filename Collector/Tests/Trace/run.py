"""Sessions as traces, read by Perfetto's own trace processor and by a strict reader of the format.

    run.py --tool Collector/.build/debug/automobile --app DEMO_APP [--only NAME] [--screenshots DIR]
"""

import argparse
import sys
import tempfile
import traceback
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Page"))
import checks  # noqa: E402
from collector import Collector  # noqa: E402
from perfetto import Perfetto  # noqa: E402


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--app", required=True)
    arguments.add_argument("--only")
    arguments.add_argument("--screenshots", type=Path)
    options = arguments.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="automobile-trace-") as directory, Perfetto() as perfetto:
        for check in checks.ALL:
            if options.only not in (None, check.__name__):
                continue
            place = Path(directory) / check.__name__
            place.mkdir()
            try:
                with Collector(options.tool, options.app, place) as collector:
                    said = check(collector, checks.Reader(perfetto, options.screenshots))
                print(f"ok      {check.__doc__}{f': {said}' if said else ''}", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {check.__doc__}", flush=True)
                traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
