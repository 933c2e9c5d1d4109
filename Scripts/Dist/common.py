"""Where things are, and how programs are run."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COLLECTOR = ROOT / "Collector"
# Elsewhere when the packing is tried.
OUT = ROOT / os.environ.get("DIST_OUT", ".build/dist")


def say(text):
    print(f"dist: {text}", file=sys.stderr)


def run(*words, **more):
    done = subprocess.run(words, **more)
    if done.returncode:
        sys.exit(f"dist: {' '.join(map(str, words))}: exit code {done.returncode}")


def output(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"dist: {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout.strip()


def version():
    return (ROOT / "VERSION").read_text().strip()


def machine():
    """As Debian calls it."""
    return output("dpkg", "--print-architecture")
