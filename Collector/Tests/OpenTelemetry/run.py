"""OpenTelemetry's own SDK sends to a real collector, and OpenTelemetry's own messages read what it exports and what it forwards.

    run.py --tool Collector/.build/debug/automobile [--screenshots DIR]
"""

import argparse
import sys
import tempfile
import traceback
from pathlib import Path

import circle
import forwarding
import incoming
import ledger
import outgoing
from place import Place

CHECKS = [incoming.session, incoming.browser, incoming.again, incoming.json_form, incoming.killed, outgoing.protobuf, outgoing.json_lines,
          *forwarding.CHECKS, *circle.CHECKS, ledger.ledger]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--only")
    arguments.add_argument("--screenshots", type=Path)
    options = arguments.parse_args()
    failed = 0
    for check in CHECKS:
        if options.only not in (None, check.__name__):
            continue
        with tempfile.TemporaryDirectory(prefix="automobile-otlp-") as directory:
            try:
                with Place(options.tool, directory, options.screenshots) as place:
                    check(place)
                print(f"ok      {check.__doc__}", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {check.__doc__}", flush=True)
                traceback.print_exc()
    print(f"{len(CHECKS)} tried, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
