"""Whether what was packed can be installed, and works where it is installed."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

from common import OUT, machine, output, run, version
from contents import COMPLETIONS
from deb import needed

C_LIBRARY = ("libc.so", "libm.so", "ld-linux", "libdl.so", "libpthread.so", "librt.so")


def expect(what, holds):
    if not holds:
        sys.exit(f"dist: {what}")
    print(f"  ok  {what}")


def package(file):
    """What dpkg reads of it, and what Debian wants of every package."""
    fields = dict(re.findall(r"(?m)^([A-Z][\w-]*): (.*)$", output("dpkg-deb", "--field", file)))
    wanted = {"Package": "automobile", "Version": version(), "Architecture": machine()}
    expect(f"{file.name} says its name, version and machine", wanted.items() <= fields.items())
    expect("it says who made it, how large it is and what it needs",
           all(fields.get(name) for name in ("Maintainer", "Installed-Size", "Depends", "Section", "Priority", "Description")))
    expect("its summary is a line without article and full stop",
           len(fields["Description"]) < 80 and not re.match(r"(An?|The) |.*\.$", fields["Description"]))
    entries = [line.split(None, 5) for line in output("dpkg-deb", "--contents", file).splitlines()]
    expect("everything belongs to root, and only root may write",
           all(entry[1] == "root/root" and entry[0][5] == entry[0][8] == "-" for entry in entries))
    expect("everything is under /usr, nothing in /usr/local",
           all(re.match(r"\./($|usr/)(?!local)", entry[5]) for entry in entries))


def installed(root, is_self_contained):
    tool = root / "usr/bin/automobile"
    nothing = {"PATH": "/nonexistent", "HOME": str(root)}
    expect("it runs from where it was installed, and says its version", output(tool, "--version", env=nothing) == version())
    if is_self_contained:
        strangers = [library for library in needed(tool) if not library.startswith(C_LIBRARY)]
        expect(f"it needs no library but C's ({', '.join(strangers) or 'none'})", not strangers)
    for shell, place in COMPLETIONS.items():
        script = root / "usr" / place
        if shutil.which(shell):
            run(shell, "--no-execute" if shell == "fish" else "-n", script)
        expect(f"completions for {shell} name the commands", all(word in script.read_text() for word in ("serve", "sessions", "doctor")))
    page = root / "usr/share/man/man1/automobile.1.gz"
    text = subprocess.run(["gzip", "-dc", page], capture_output=True, check=True).stdout
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8"], input=text, capture_output=True)
        expect(f"the manual has no mistake {done.stderr.decode()[:500]}", done.returncode == 0 and not done.stderr)
        text = done.stdout
    expect("the manual explains commands and options", all(word in text for word in (b"serve", b"port", b"8765")))


def served(root):
    """The collector, its database and its viewer."""
    tool = root / "usr/bin/automobile"
    with tempfile.TemporaryDirectory() as data:
        process = subprocess.Popen([tool, "serve", "--json", "--port", "0", "--data", data], stdout=subprocess.PIPE, text=True,
                                   env={"PATH": "/nonexistent", "HOME": data})
        try:
            url = json.loads(process.stdout.readline())["url"].rstrip("/")
            page = urllib.request.urlopen(url + "/").read().decode()
            modules = re.findall(r'type="module" src="([^"]+)"', page)
            code = urllib.request.urlopen(f"{url}/{modules[0]}").read() if modules else b""
            expect("the viewer is inside", "<title>AutoMobile</title>" in page and len(code) > 100_000)
            sessions = json.load(urllib.request.urlopen(url + "/api/sessions"))
            expect("the database is, too", sessions["sessions"] == [])
        finally:
            process.terminate()
            process.wait()


def everything(is_self_contained):
    name = f"automobile_{version()}_{machine()}.deb"
    run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=OUT)
    package(OUT / name)
    with tempfile.TemporaryDirectory() as root:
        root = pathlib.Path(root)
        run("dpkg-deb", "--extract", OUT / name, root)
        installed(root, is_self_contained)
        served(root)
    with tempfile.TemporaryDirectory() as root:
        archive = f"automobile-{version()}-linux-{machine()}"
        run("tar", "-xzf", OUT / f"{archive}.tar.gz", "-C", root)
        root = pathlib.Path(root) / archive
        expect("the archive has it, too", output(root / "bin/automobile", "--version") == version())
        copied = re.findall(r"(?m)^COPY (\S+)", (root / "Containerfile").read_text())
        expect("and what its container file copies", copied and all((root / name).is_file() for name in copied))
        if shutil.which("docker") and subprocess.run(["docker", "info"], capture_output=True).returncode == 0:
            run("docker", "build", "--tag", "automobile:check", "--file", root / "Containerfile", root)
            expect("the container runs", output("docker", "run", "--rm", "automobile:check", "--version") == version())
        else:
            print("  --  no engine here: the container is not built")
