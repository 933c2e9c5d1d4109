"""Apple's C headers as an SDK: those that the PyPI package `ziglang` brings, and what it leaves out."""

import glob
import json
import pathlib
import shutil
import sys

from toolchain import HERE, ROOT, WORK, ZIGLANG, Failure, is_current, note_current, run, say, stamp

SDK = WORK / "sdk"
INCLUDE = SDK / "usr/include"
MAPS = WORK / "maps"
# Foundation in Objective-C. No part of the SDK: Swift has a Foundation of its own.
OBJECTIVE_C_HEADERS = HERE / "Headers/objective-c"

# What `import Darwin` gives Swift. Apple's module map has them all; these are what the SDK and the overlay use.
DARWIN = """
TargetConditionals stdint stdio stdlib string errno unistd fcntl dirent ctype math time pthread signal semaphore execinfo netdb
arpa/inet netinet/in ifaddrs sys/file sys/mman sys/stat sys/statvfs sys/sysctl sys/mount sys/utsname sys/socket sys/time
sys/resource sys/wait sys/event mach/mach mach/mach_time malloc/malloc os/proc os/lock dlfcn
""".split()
MACHO = ("mach-o/dyld.h", "mach-o/loader.h", "mach-o/nlist.h", "mach-o/getsect.h")
OBJECTIVE_C = ("objc/objc.h", "objc/NSObjCRuntime.h", "objc/runtime.h", "objc/message.h")

# The root of all classes. Its methods are declared in Swift, by Foundation's interface: the importer brings over only what has no
# text, as long as it knows no bridge from NSString, and that comes after this.
ROOT_CLASS = """
#if __OBJC__
__attribute__((objc_root_class)) __attribute__((swift_name("ObjectiveCRoot")))
@interface NSObject { Class isa; }
- (instancetype)init;
@end
#endif
"""


def install_headers():
    """The folder of `ziglang`, which is installed where it is missing."""
    venv = WORK / "python"
    found = lambda: glob.glob(str(venv / "lib/python3*/site-packages/ziglang"))
    if not found():
        say(f"installing Apple's C headers into {venv.relative_to(ROOT)}, from the PyPI package {ZIGLANG}")
        made = run([sys.executable, "-m", "venv", venv])
        if made.returncode == 0:
            made = run([venv / "bin/pip", "install", "--quiet", "--disable-pip-version-check", ZIGLANG])
        if not found():
            raise Failure(f"the headers cannot be installed: {made.stderr[-400:]}")
    return pathlib.Path(found()[0])


def including(headers):
    return "".join(f"#include <{header}>\n" for header in headers)


def prepare():
    zig = install_headers()
    mark = stamp(ZIGLANG, HERE / "headers.py", HERE / "Headers/usr")
    if not is_current(WORK, mark):
        shutil.rmtree(SDK, ignore_errors=True)
        shutil.copytree(zig / "lib/libc/include/any-darwin-any", INCLUDE)
        shutil.copytree(HERE / "Headers/usr", INCLUDE, dirs_exist_ok=True)
        # System libraries whose headers are the same text everywhere.
        for header in ("zlib.h", "zconf.h", "sqlite3.h"):
            shutil.copy(pathlib.Path("/usr/include") / header, INCLUDE)
        # What the stand-ins draw with.
        for header in pathlib.Path("/usr/include/cairo").iterdir():
            shutil.copy(header, INCLUDE)
        (INCLUDE / "am_darwin.h").write_text(including(f"{name}.h" for name in DARWIN))
        (INCLUDE / "am_macho.h").write_text(including(MACHO))
        (INCLUDE / "am_objc.h").write_text(including(OBJECTIVE_C) + ROOT_CLASS)
        (INCLUDE / "module.modulemap").write_text(
            'module Darwin [system] { header "am_darwin.h" export * }\n'
            'module MachO [system] { header "am_macho.h" export * }\n'
            'module ObjectiveC [system] { header "am_objc.h" export * }\n'
            'module UserNotificationsOptions { header "am_notifications.h" export * }\n'
            'module SQLite3 [system] { header "sqlite3.h" export * }\n')
        (SDK / "SDKSettings.json").write_text(json.dumps({
            "CanonicalName": "iphoneos18.0", "Version": "18.0", "DefaultDeploymentTarget": "15.0",
            "MaximumDeploymentTarget": "18.0.99"}))
        note_current(WORK, mark)
    MAPS.mkdir(exist_ok=True)
    (MAPS / "module.modulemap").write_text(
        f'module CAutoMobile {{ umbrella "{ROOT}/Sources/CAutoMobile/include" export * }}\n'
        f'module CAutoMobileZlib [system] {{ header "{ROOT}/Sources/CAutoMobileZlib/shim.h" export * }}\n'
        f'module CCairo [system] {{ header "{ROOT}/StandIns/CCairo/shim.h" export * }}\n')
    return mark
