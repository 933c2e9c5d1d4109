"""Agents' way in, by the protocol's own reference client: stdio and HTTP, with keys and without, good questions and hostile ones.

    run.py --tool Collector/.build/debug/automobile --app .build/standins/debug/automobile-demo-app [--only NAME]
"""

import argparse
import asyncio
import sys
import tempfile
import time
import traceback
from pathlib import Path

import checks
import commands
import injection
import protocol
from clients import places

CHECKS = [
    checks.http_without_keys, checks.http_with_keys, checks.stdio_of_a_collector, checks.stdio_of_data, checks.pages, checks.around,
    checks.pictures, checks.resources, checks.prompts, checks.speed, protocol.transport, protocol.stream, injection.frames, commands.reaching,
    commands.running_app,
]
# Every tool once, and what goes on with a cursor: each answer of a cluster takes several times as long.
SHORT = [checks.http_with_keys, checks.pages, checks.around, commands.reaching]


def innermost(error):
    """What went wrong, without the groups that the client's tasks put around it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--app", required=True)
    arguments.add_argument("--only")
    arguments.add_argument("--short", action="store_true", help="something of each kind")
    places.add_option(arguments)
    arguments = arguments.parse_args()
    with places.chosen(arguments):
        return tried(arguments)


def tried(arguments):
    """The exit code."""
    wrong = 0
    chosen = [check for check in CHECKS if arguments.only in (None, check.__name__) and (not arguments.short or check in SHORT)]
    with tempfile.TemporaryDirectory(prefix="automobile-mcp-") as directory:
        place = checks.Place(Path(arguments.tool).resolve(), Path(arguments.app).resolve(), Path(directory))
        for check in list(chosen):
            if reason := places.now().reason("MCP", check.__name__):
                print(f"skipped {check.__doc__}: {reason}", flush=True)
                chosen.remove(check)
                continue
            start = time.monotonic()
            try:
                said = asyncio.run(check(place)) or ""
                print(f"held   {check.__doc__} {said} ({time.monotonic() - start:.1f} s)", flush=True)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                wrong += 1
                print(f"FAILED {check.__doc__}\n{''.join(traceback.format_exception(innermost(error)))}", flush=True)
                print(places.now().leave(directory), file=sys.stderr, flush=True)
    print(f"{len(chosen) - wrong} of {len(chosen)} held")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
