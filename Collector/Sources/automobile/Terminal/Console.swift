import Foundation

/// Where a command writes: standard output for results, standard error for everything said along the way.
///
/// The only place of the program that writes to either (a test looks for others). What goes to a terminal is escaped here,
/// whatever it is and wherever it comes from; into a file or a pipe everything goes as it is.
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

  enum Stream { case output, errors }

  /// One line to standard output.
  func out(_ line: String = "") { write(line + "\n") }

  /// One line to standard error.
  func note(_ line: String = "") { write(line + "\n", to: .errors) }

  /// Text of any number of lines.
  func write(_ text: String, to stream: Stream = .output, as form: Printable.Form = .text) {
    let isSeen = stream == .output ? isTerminal : errorIsTerminal
    Self.write(Array((isSeen ? Printable.terminal(text, as: form) : text).utf8), to: stream)
  }

  /// A part of a file, to standard output: byte by byte, unless somebody sees it.
  func write(_ data: Data, as form: Printable.Form) {
    if isTerminal { return write(String(decoding: data, as: UTF8.self), as: form) }
    Self.write(Array(data), to: .output)
  }

  /// Writes all of it, at once, so that lines of two tasks do not mix. Ends the process quietly when the reader of a
  /// pipe (`| head`) has gone: networking code ignores SIGPIPE, which would otherwise do it.
  private static func write(_ bytes: [UInt8], to stream: Stream) {
    let descriptor = stream == .output ? STDOUT_FILENO : STDERR_FILENO
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if written < 0, errno == EPIPE, stream == .output {
        exit(0)
      } else if written < 0, errno != EINTR, errno != EAGAIN {
        return
      }
    }
  }
}
