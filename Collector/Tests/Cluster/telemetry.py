"""Three collectors behind nginx that share two shards of ClickHouse, PostgreSQL and an S3 store: each killed and cut off under load.

    telemetry.py --tool Collector/.build/debug/automobile [--only NAME] [--former PROGRAM]

Nothing acknowledged is lost, nothing is doubled, reads say what is missing meanwhile, and whatever waits goes on by itself.
"""

import argparse
import faulthandler
import signal
import sys
import tempfile
import time
import traceback

import check_disks
import check_erasing
import check_kills
import check_moving
import check_reading
import check_replays
import check_upgrading
from company import Company

CHECKS = [
    check_reading.the_same_everywhere, check_reading.tailed, check_reading.decided, check_reading.commanded,
    check_kills.killed_collectors, check_kills.cut_collector, check_kills.rolled, check_kills.killed_shard, check_kills.cut_shard,
    check_kills.killed_state, check_kills.cut_state, check_replays.killed_store, check_replays.cut_store,
    check_disks.full_collector, check_disks.full_shard, check_erasing.erased, check_erasing.erased_without_a_shard,
    check_moving.moved,
]

# One of each kind, for a test that others run beside.
SHORT = [
    check_reading.the_same_everywhere, check_reading.tailed, check_reading.decided, check_reading.commanded,
    check_kills.killed_collectors, check_kills.killed_shard, check_kills.cut_state, check_erasing.erased,
    check_moving.moved,
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--only", default="", help="checks whose names have this, or one of these with commas")
    parser.add_argument("--former", help="the program of a former release: only its replacement by this one is tried")
    parser.add_argument("--short", action="store_true", help="one check of each kind")
    parser.add_argument("--all", action="store_true", help="go on after a check that failed")
    options = parser.parse_args()
    # Where does it wait? Ask with SIGUSR1.
    faulthandler.register(signal.SIGUSR1)
    failed = []
    with tempfile.TemporaryDirectory(prefix="automobile-cluster-") as directory:
        company = Company(options.tool, directory, options.former)
        company.rounds = 1 if options.short else 2
        try:
            checks = [check_upgrading.upgraded] if options.former else SHORT if options.short else CHECKS
            for check in checks:
                if not any(name in check.__name__ for name in options.only.split(",")):
                    continue
                begun = time.monotonic()
                try:
                    said = check(company)
                    print(f"ok      {check.__doc__}" + (f": {said}" if said else "") + f" ({time.monotonic() - begun:.0f} s)", flush=True)
                except Exception:
                    failed.append(check.__name__)
                    print(f"FAILED  {check.__doc__}", flush=True)
                    traceback.print_exc()
                    if not options.all:
                        # What follows might only say that this one left something behind.
                        break
            if failed:
                print(company.said(), file=sys.stderr)
        finally:
            company.end()
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
