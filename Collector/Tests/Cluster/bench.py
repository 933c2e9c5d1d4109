"""The figures of blobs in an S3 store on this machine: starts one, and has the benchmark put and read there.

    bench.py --bench Collector/.build/release/collector-bench [--packs N]
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import s3


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--packs", default="64")
    options = parser.parse_args()
    os.environ.update(AWS_ACCESS_KEY_ID=s3.ACCESS, AWS_SECRET_ACCESS_KEY=s3.SECRET)
    with tempfile.TemporaryDirectory(prefix="automobile-bench-") as directory:
        server = s3.Server(Path(directory) / "s3")
        try:
            place = f"s3://bucket/bench?endpoint=http://127.0.0.1:{server.port}"
            sys.exit(subprocess.run([options.bench, "blobs", "--blobs", place, "--packs", options.packs]).returncode)
        finally:
            server.kill()


if __name__ == "__main__":
    main()
