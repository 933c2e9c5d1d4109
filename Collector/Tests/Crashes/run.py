"""Every way of dying, from the fault to what a developer reads: a program dies, is started again, delivers what its crash
handler left, and is looked up through the API of a real collector that knows its symbols.

    run.py --tool Collector/.build/debug/automobile --victim .build/debug/crash-victim [--only WAY]
"""

import argparse
import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ["Tests/Helpers/crash-ways/ways.c", "Tests/Helpers/crash-ways/exceptions.cpp",
           "Tests/Helpers/crash-victim/SwiftWays.swift"]
TRAP = signal.SIGILL if os.uname().machine == "x86_64" else signal.SIGTRAP

# The way, the signal that ends the process, the function that dies, whether it dies on the main thread.
WAYS = [
    ("null-pointer", signal.SIGSEGV, "die_of_null_pointer", True),
    ("wild-pointer", signal.SIGSEGV, "die_of_wild_pointer", True),
    ("bus-error", signal.SIGBUS, "die_of_bus_error", True),
    ("illegal-instruction", signal.SIGILL, "die_of_illegal_instruction", True),
    ("abort", signal.SIGABRT, "die_of_abort", True),
    ("precondition", TRAP, "dieOfPrecondition", True),
    ("nil", TRAP, "dieOfNil", True),
    ("index", TRAP, "dieOfIndex", True),
    ("cpp-exception", signal.SIGABRT, "die_of_cpp_exception", True),
    ("stack-overflow", signal.SIGSEGV, "recurse", True),
    ("stack-overflow-on-thread", signal.SIGSEGV, "recurse", False),
    ("corrupt-heap", signal.SIGABRT, "die_of_corrupt_heap", True),
    ("heap-locked", signal.SIGSEGV, "die_with_heap_locked", True),
    ("loader-locked", signal.SIGSEGV, "die_of_null_pointer", True),
    ("eight-threads", signal.SIGSEGV, "die_of_null_pointer", False),
    ("in-signal-handler", signal.SIGSEGV, "die_of_null_pointer", True),
    ("on-pool-thread", signal.SIGSEGV, "die_of_null_pointer", False),
    ("in-our-handler", signal.SIGSEGV, "die_of_null_pointer", True),
    ("abort-in-our-handler", signal.SIGSEGV, "die_of_null_pointer", True),
    ("during-initialize", signal.SIGSEGV, "die_of_null_pointer", True),
    ("corrupt-journal", signal.SIGSEGV, "die_of_null_pointer", True),
    ("disk-full", signal.SIGSEGV, "die_of_null_pointer", True),
    # The app's own handler, which is called after the report is written, dies of something else: that ends the process.
    ("in-host-handler", signal.SIGSEGV, "die_of_null_pointer", True),
    ("abort-in-host-handler", signal.SIGSEGV, "die_of_null_pointer", True),
]
if os.uname().machine == "x86_64":
    WAYS.append(("division", signal.SIGFPE, "die_of_division", True))

# What these lose is their point: the breadcrumbs' file was overwritten, or nothing had been recorded yet.
WITHOUT_BREADCRUMBS = {"corrupt-journal", "during-initialize"}

# What ends the process, where that is not what it is told to have died of.
ENDS = {"in-host-handler": signal.SIGFPE, "abort-in-host-handler": signal.SIGABRT}


@contextlib.contextmanager
def small_disk(directory):
    """A disk of 160 MB at `directory`; needs root, as in a container."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", str(directory)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(directory)], check=True)


# Where a way's launches record, when that is no ordinary directory.
PLACES = {"disk-full": small_disk}


def marked_line(function):
    """Where a function dies: the line with the mark."""
    for source in SOURCES:
        for number, line in enumerate((ROOT / source).read_text().splitlines(), 1):
            if line.endswith(f"dies: {function}"):
                return Path(source).name, number
    return None


def get(url, path):
    with urllib.request.urlopen(url + path, timeout=30) as answer:
        return json.load(answer)


def run(program, *arguments):
    # Swift's own backtracer would hold the process up for a quarter of a second.
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
    return subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def reports(url, kind):
    return get(url, f"api/reports?kind={kind}&limit=200")["reports"]


@contextlib.contextmanager
def launched(victim, directory, url, *options):
    """The next launch, which delivers, until the block is left."""
    process = run(victim, "linger", str(directory), "--deliver", url, *options)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def check(url, victim, directory, way, expected, function, is_main):
    known = {report["event"] for report in reports(url, "crash")}

    first = run(victim, way, str(directory), "--trap")
    end = ENDS.get(way, expected)
    assert first.wait(timeout=60) == -end, f"ended with {first.returncode}, not with {-end}"
    # Without room for the event, the report stays where it is until there is some.
    (directory / "filler").unlink(missing_ok=True)
    # Twice: what has been told must not be told again.
    with launched(victim, directory, url):
        deadline = time.monotonic() + 60
        while not {report["event"] for report in reports(url, "crash")} - known:
            assert time.monotonic() < deadline, "the crash was not delivered"
            time.sleep(0.05)
    # What has been told is not told again: the next launch leaves no lane but its own.
    with launched(victim, directory, url):
        while old_lanes(directory):
            assert time.monotonic() < deadline, "an old crash lane was left"
            time.sleep(0.05)
    new = [report for report in reports(url, "crash") if report["event"] not in known]
    assert len(new) == 1, f"{len(new)} reports"

    answer = get(url, f"api/events/{new[0]['event']}/report")
    report = answer["report"]
    assert report["signal"]["number"] == expected, report["signal"]
    crashed = [thread for thread in report["threads"] if thread["crashed"]]
    assert len(crashed) == 1 and report["threads"][0] == crashed[0], "not one crashed thread, and that first"
    assert crashed[0]["main"] == is_main, crashed[0]["main"]
    images = report["images"]
    frames = [frame for frame in crashed[0]["frames"]
              if frame.get("image") is not None and images[frame["image"]]["name"] == "crash-victim"]
    # Inlined functions stand before the function that they are in.
    frame = next((frame for frame in frames if function in (frame.get("function") or "")), None)
    assert frame, f"{function} is not in {[frame.get('function') for frame in frames]}"
    place = marked_line(function)
    if place:
        assert (Path(frame["file"]).name, frame["line"]) == place, (frame["file"], frame["line"], place)
    if way not in WITHOUT_BREADCRUMBS:
        assert answer["screen"] == "checkout", answer["screen"]
        crumbs = [crumb["message"] for crumb in report["breadcrumbs"]]
        assert crumbs == ["checkout"] + [f"step {step}" for step in range(20)], crumbs
        assert answer["before"][-1]["payload"]["name"] == "last", answer["before"][-1]
    return f"{frame['function']} {Path(frame['file']).name}:{frame['line']}"


def check_fork(url, victim, directory):
    """A child that the app forks dies: that is not the app's crash, and the app goes on and ends as it would have."""
    known = {report["event"] for report in reports(url, "crash")}
    first = run(victim, "in-fork", str(directory))
    assert first.wait(timeout=60) == 0, f"ended with {first.returncode}"
    with launched(victim, directory, url):
        deadline = time.monotonic() + 60
        # All that the first launch recorded has come, so a report would have.
        while not any(event["payload"].get("name") == "last" and event["payload"].get("properties", {}).get("way") == "in-fork"
                      for event in get(url, "api/events?type=custom&limit=200")["events"]):
            assert time.monotonic() < deadline, "the launch was not delivered"
            time.sleep(0.05)
        while old_lanes(directory):
            assert time.monotonic() < deadline, "an old crash lane was left"
            time.sleep(0.05)
    assert {report["event"] for report in reports(url, "crash")} == known, "a crash was told"
    return "the child's end is not the app's"


def check_hang(url, victim, directory):
    """Killed with SIGKILL while its main thread hangs: the launch after it tells."""
    first = run(victim, "hang", str(directory), "--live")
    try:
        deadline = time.monotonic() + 60
        # The first record of a hang says no more than that there is one; the next has the stack.
        while not any(b"hangForEver" in file.read_bytes() for file in directory.glob("*.journal")):
            assert time.monotonic() < deadline and first.poll() is None, "the hang was not noticed"
            time.sleep(0.05)
    finally:
        first.kill()
        first.wait()
    with launched(victim, directory, url, "--live"):
        deadline = time.monotonic() + 60
        while not (told := reports(url, "hang")):
            assert time.monotonic() < deadline, "the hang was not delivered"
            time.sleep(0.05)
        while not (told_ends := ends(url)):
            assert time.monotonic() < deadline, "what ended the launch was not told"
            time.sleep(0.05)
    assert [end["verdict"] for end in told_ends] == ["hang_kill"], told_ends
    assert len(told) == 1 and len(reports(url, "hang")) == 1, "not one report"
    answer = get(url, f"api/events/{told[0]['event']}/report")
    main_thread = answer["report"]["threads"][0]
    assert main_thread["main"], main_thread
    frame = next((frame for frame in main_thread["frames"] if "hangForEver" in (frame.get("function") or "")), None)
    assert frame, [frame.get("function") for frame in main_thread["frames"]]
    assert (Path(frame["file"]).name, frame["line"]) == marked_line("hangForEver"), frame
    return f"{frame['function']} {Path(frame['file']).name}:{frame['line']}"


def check_out_of_memory(url, victim, directory):
    """An address space that is used up: no handler can tell, so the launch after it does, from what was noted before."""
    first = run(victim, "out-of-memory", str(directory), "--live", "--without-signals")
    assert first.wait(timeout=60) < 0, f"ended with {first.returncode}"
    known = len(ends(url))
    with launched(victim, directory, url, "--live"):
        deadline = time.monotonic() + 60
        while len(told := ends(url)) == known:
            assert time.monotonic() < deadline, "what ended the launch was not told"
            time.sleep(0.05)
    evidence = [end["evidence"] for end in told if end["verdict"] == "out_of_memory"]
    assert len(evidence) == 1, told
    return evidence[0]


def ends(url):
    """What ended launches, as the launches after them told."""
    return [launch["end"] for launch in get(url, "api/launches")["launches"] if launch.get("end")]


def old_lanes(directory):
    """All crash lanes but the newest, which is the running launch's."""
    lanes = sorted(directory.glob("*.crash"), key=lambda lane: lane.stat().st_mtime)
    return lanes[:-1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tool", required=True, help="the program automobile")
    arguments.add_argument("--victim", required=True, help="the program that dies")
    arguments.add_argument("--only", default="", help="only ways whose name holds this")
    options = arguments.parse_args()
    victim = str(Path(options.victim).resolve())
    failed = []
    with tempfile.TemporaryDirectory(prefix="automobile-crashes-") as place:
        data = str(Path(place) / "data")
        serve = subprocess.Popen([options.tool, "serve", "--json", "--port", "0", "--data", data],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            url = json.loads(serve.stdout.readline())["url"]
            subprocess.run([options.tool, "symbols", "add", victim, "--url", url], check=True, stdout=subprocess.DEVNULL)
            checks = [(way[0], functools.partial(check, url, victim, Path(place) / way[0], *way)) for way in WAYS]
            checks.append(("in-fork", functools.partial(check_fork, url, victim, Path(place) / "in-fork")))
            checks.append(("hang", functools.partial(check_hang, url, victim, Path(place) / "hang")))
            checks.append(("out-of-memory", functools.partial(check_out_of_memory, url, victim, Path(place) / "out-of-memory")))
            for name, body in checks:
                if options.only not in name:
                    continue
                if name == "disk-full" and (os.geteuid() != 0 or sys.platform != "linux"):
                    print(f"skipped {name}: only root can make a small disk, on Linux")
                    continue
                (Path(place) / name).mkdir()
                try:
                    with PLACES.get(name, contextlib.nullcontext)(Path(place) / name):
                        print(f"ok      {name}: {body()}", flush=True)
                except Exception:
                    failed.append(name)
                    print(f"FAILED  {name}", flush=True)
                    traceback.print_exc()
        finally:
            serve.terminate()
            serve.wait(timeout=30)
            serve.stdout.close()
    if failed:
        sys.exit(f"{len(failed)} of the ways of dying were not told as they should be: {', '.join(failed)}")


if __name__ == "__main__":
    main()
