"""Small file systems, which can be filled and be given room."""

import os
import subprocess


class Disk:
    """One in memory, at a folder that is there; only root can mount it."""

    ROOM = 2 << 30

    def __init__(self, folder):
        self.folder = folder
        self.isThere = os.geteuid() == 0
        if self.isThere:
            # Whoever has the folder has the disk.
            owner = os.stat(folder)
            self.run("mount", "-t", "tmpfs", "-o", f"size={self.ROOM},mode=700,uid={owner.st_uid},gid={owner.st_gid}", "tmpfs", str(folder))

    def run(self, *command):
        subprocess.run(command, check=True)

    def size(self, bytes):
        self.run("mount", "-o", f"remount,size={bytes}", str(self.folder))

    def fill(self, left):
        """So many bytes are left."""
        now = os.statvfs(self.folder)
        self.size((now.f_blocks - now.f_bfree) * now.f_frsize + left)

    def mend(self):
        self.size(self.ROOM)

    def end(self):
        if self.isThere:
            self.run("umount", "-l", str(self.folder))
