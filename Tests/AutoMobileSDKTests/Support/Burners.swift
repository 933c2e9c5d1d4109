#if os(macOS) || os(Linux)
import Foundation

/// Other programs that want all cores for themselves, for as long as this lives.
final class Burners {
  private let processes: [Process]

  init() throws {
    processes = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      // Ends by itself when nobody is left to end it.
      let work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
      process.arguments = ["-c", "while kill -0 $PPID 2>/dev/null; do \(work); done"]
      try process.run()
      return process
    }
  }

  deinit {
    // Not a signal that can be blocked: what a queue's thread starts inherits that.
    for process in processes { kill(process.processIdentifier, SIGKILL) }
  }
}
#endif
