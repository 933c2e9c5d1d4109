import Foundation

/// Where a command writes: standard output for results, standard error for everything said along the way.
struct Console: Sendable {
  /// Whether results go to somebody who reads them, not to a program.
  let isTerminal: Bool
  /// Columns that a line may take; nil when nothing limits it (a pipe or a file).
  let width: Int?
  let style: Style
  let errorStyle: Style
  let errorIsTerminal: Bool

  /// What the environment says: `NO_COLOR` and `TERM=dumb` switch colours off, `COLUMNS` sets the width.
  static let standard = Console(environment: ProcessInfo.processInfo.environment)

  init(environment: [String: String]) {
    isTerminal = isatty(STDOUT_FILENO) == 1
    errorIsTerminal = isatty(STDERR_FILENO) == 1
    let plain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
    style = Style(coloured: isTerminal && !plain)
    errorStyle = Style(coloured: errorIsTerminal && !plain)
    width = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 >= 20 ? $0 : nil } ?? Self.windowWidth()
  }

  private static func windowWidth() -> Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return nil }
    return Int(size.ws_col)
  }

  /// One line to standard output. `line` must be safe already: see ``Printable``.
  func out(_ line: String = "") { Self.write(line + "\n", to: STDOUT_FILENO) }

  /// One line to standard error.
  func note(_ line: String = "") { Self.write(line + "\n", to: STDERR_FILENO) }

  /// Writes all of it, at once, so that lines of two tasks do not mix. Ends the process quietly when the reader of a
  /// pipe (`| head`) has gone: networking code ignores SIGPIPE, which would otherwise do it.
  static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if written < 0, errno == EPIPE, descriptor == STDOUT_FILENO {
        exit(0)
      } else if written < 0, errno != EINTR, errno != EAGAIN {
        return
      }
    }
  }
}
