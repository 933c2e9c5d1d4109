// A program whose launches end in every way, one launch a run.
//
//     launch-victim DIRECTORY MODE
//
// DIRECTORY is where it records. What it has to say comes on standard output, a line of JSON; then it does what MODE
// says. See `Modes.swift`.

import Foundation

guard CommandLine.arguments.count == 3, let mode = modes[CommandLine.arguments[2]] else {
  FileHandle.standardError.write(Data("usage: launch-victim DIRECTORY \(modes.keys.sorted())\n".utf8))
  exit(64)
}
// Whoever starts this from a Dispatch queue hands down signals that are blocked.
var none = sigset_t()
sigemptyset(&none)
sigprocmask(SIG_SETMASK, &none, nil)
// A core file for each death would be a lot.
var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
setrlimit(coreLimit, &noCore)
mode(URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true))
