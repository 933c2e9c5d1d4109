"""The doors, tried from outside: every way in that somebody once found, tried again on a real collector.

    run.py --tool Collector/.build/debug/automobile [--only NAME] [--found] [--cluster]

With --found it is the other way round, for a version before they were shut: each must still be found open.
"""

import argparse
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

import files
import load
import people
import projects
import proxies
import rates
import secure
import strangers
from house import places

ATTACKS = [
    strangers.doubled_slash, strangers.batches, strangers.upload_token, strangers.commands, strangers.sessions, load.versions, load.pages,
    files.terminal, files.session_file, files.permissions, strangers.head, strangers.foreign_page, strangers.host, load.drip, load.idle,
    files.process_list, secure.https, projects.isolated, rates.flood, rates.quotas,
]
# Of what the version that is known to be open does not have yet.
LATER = [people.links, people.forms, people.cookies, people.tokens, people.redirects, people.provider_down, proxies.forwarded, proxies.throttled,
         proxies.secure_cookie, proxies.behind_proxy, rates.launches]
# What a cluster could do otherwise: whose something is, and who is known.
SHORT = [projects.isolated, people.links]


def attempt(attack, tool, place):
    """The ways in that it found, or why that is not known."""
    start = time.monotonic()
    try:
        ways, failure = list(attack(tool, place)), None
    except Exception:
        ways, failure = [], traceback.format_exc()
    return ways, failure, time.monotonic() - start


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--only")
    arguments.add_argument("--found", action="store_true")
    arguments.add_argument("--short", action="store_true", help="what needs a cluster most")
    places.add_option(arguments)
    arguments = arguments.parse_args()
    attacks = SHORT if arguments.short else ATTACKS + ([] if arguments.found else LATER)
    with places.chosen(arguments):
        return tried(arguments, [each for each in attacks if arguments.only in (None, each.__name__) and is_tried(each)])


def is_tried(attack):
    if reason := places.now().reason("Doors", attack.__name__):
        print(f"skipped {attack.__doc__}: {reason}", flush=True)
    return not reason


def tried(arguments, attacks):
    """The exit code."""
    results = {}
    with tempfile.TemporaryDirectory(prefix="automobile-doors-") as directory:
        # It does nothing but wait: meanwhile the others go on.
        waiting = threading.Thread(target=lambda: results.update({load.drip: attempt(load.drip, arguments.tool, Path(directory) / "drip")}))
        if load.drip in attacks:
            waiting.start()
        for attack in attacks:
            if attack is load.drip:
                waiting.join()
            else:
                results[attack] = attempt(attack, arguments.tool, Path(directory) / attack.__name__)
            tell(attack, *results[attack])
            said = places.now().leave(Path(directory) / attack.__name__)
            if any(results[attack][:2]):
                print(said, file=sys.stderr)
    wrong = [attack for attack, (ways, failure, _) in results.items() if failure or bool(ways) != arguments.found]
    print(f"{len(results)} tried, {sum(bool(ways) for ways, _, _ in results.values())} found open")
    return 1 if wrong or not results else 0


def tell(attack, ways, failure, took):
    print(f"{'open' if ways else 'FAILED' if failure else 'held':6} {attack.__doc__} ({took:.1f} s)", flush=True)
    for way in ways:
        print(f"         {way}")
    if failure:
        print(failure)


if __name__ == "__main__":
    sys.exit(main())
