import Foundation

/// A bar on standard error, for work that takes a while; nothing when that is not a terminal.
///
///     ▕██████████░░░░░░░░░░▏ 1 204 of 2 400 events
final class ProgressBar {
  private let console: Console
  private let total: Int
  private let unit: String
  private var drawn = ContinuousClock.now
  private var visible = false

  init(_ console: Console, total: Int, unit: String) {
    self.console = console
    self.total = total
    self.unit = unit
  }

  /// Draws at most ten times a second.
  func update(_ done: Int) {
    guard console.errorIsTerminal, total > 0, ContinuousClock.now - drawn > .milliseconds(100) else { return }
    drawn = .now
    visible = true
    let filled = min(20, done * 20 / total)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
    let text = "▕\(bar)▏ \(Format.count(done)) of \(Format.count(total)) \(unit)"
    console.write(TerminalMark.lineBegins + text + TerminalMark.restOfLineCleared, to: .errors)
  }

  func finish() {
    guard visible else { return }
    console.write(TerminalMark.lineBegins + TerminalMark.restOfLineCleared, to: .errors)
    visible = false
  }
}
