"""The files, at their places under /usr; the archive, which is what a container is made of, too."""
import gzip
import hashlib
import tarfile

import manual
from common import OUT, ROOT, machine, output, run, version

# Where each shell looks on Debian; others look there, too.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/automobile",
    "zsh": "share/zsh/vendor-completions/_automobile",
    "fish": "share/fish/vendor_completions.d/automobile.fish",
}


def write(path, contents, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents)
    path.chmod(mode)


def packed(text):
    """The same bytes each time."""
    return gzip.compress(text.encode(), 9, mtime=0)


def lay_out(binary, root):
    usr = root / "usr"
    tool = usr / "bin" / "automobile"
    tool.parent.mkdir(parents=True)
    run("strip", "-o", tool, binary)
    tool.chmod(0o755)
    for shell, place in COMPLETIONS.items():
        write(usr / place, (output(tool, "--generate-completion-script", shell) + "\n").encode())
    write(usr / "share/man/man1/automobile.1.gz", packed(manual.page(tool)))
    documents = usr / "share/doc/automobile"
    write(documents / "copyright", (ROOT / "LICENSE").read_bytes())
    write(documents / "changelog.gz", packed((ROOT / "CHANGELOG.md").read_text()))
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
    return root


def owned_by_root(entry):
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = "root"
    return entry


def archive(root):
    """Of it an engine builds the container: `docker build` in the directory that it unpacks to."""
    name = f"automobile-{version()}-linux-{machine()}"
    file = OUT / f"{name}.tar.gz"
    with tarfile.open(file, "w:gz") as tar:
        tar.add(root / "usr", arcname=name, filter=owned_by_root)
        tar.add(ROOT / "Scripts/Dist/Containerfile", arcname=f"{name}/Containerfile", filter=owned_by_root)
    return file


def sums(files):
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (OUT / "SHA256SUMS").write_text("".join(lines))
