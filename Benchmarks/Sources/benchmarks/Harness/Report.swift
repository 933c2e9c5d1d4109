import Foundation

/// Prints figures as they come, one line each, beside what was promised.
///
/// A time that is missed is said. What fails the program is a figure of something else than its name says: each benchmark states
/// what must have come of the work it measures.
final class Report {
  /// Statements that did not hold.
  private(set) var wrong = 0

  /// Prints a group's heading.
  func heading(_ title: String) { print("\n\(title)") }

  /// Prints a time, with its ratio to a baseline of the same run.
  func time(
    _ name: String, _ measurement: Measurement, unit: Unit = .ns, target: Double? = nil,
    over baseline: Measurement? = nil
  ) {
    var line = Self.pad(name, 58)
    line += "median \(unit.text(measurement.median))   p99 \(unit.text(measurement.p99))"
    if let baseline { line += String(format: "   %6.2f × baseline", measurement.median / baseline.median) }
    if let target {
      line +=
        "   target ≤ \(unit.text(target).trimmingCharacters(in: .whitespaces))" + verdict(measurement.median <= target)
    }
    print(line)
  }

  /// Prints a ratio or a count.
  func value(_ name: String, _ value: Double, _ format: String = "%.2f", atLeast: Double? = nil, atMost: Double? = nil)
  {
    var line = Self.pad(name, 58) + String(format: format, value)
    if let atLeast { line += "   target ≥ " + String(format: format, atLeast) + verdict(value >= atLeast) }
    if let atMost { line += "   target ≤ " + String(format: format, atMost) + verdict(value <= atMost) }
    print(line)
  }

  /// What the work that was measured must have brought about.
  func expect<Value: Equatable>(_ what: String, _ found: Value, is wanted: Value) {
    expect("\(what): \(found), and must be \(wanted)", found == wanted)
  }

  /// The same, where it may differ.
  func expect(_ what: String, _ found: Int, in wanted: ClosedRange<Int>) {
    expect("\(what): \(found), and must be in \(wanted)", wanted.contains(found))
  }

  /// The same, by a sentence that is printed if it does not hold.
  func expect(_ what: String, _ holds: Bool) {
    guard !holds else { return }
    wrong += 1
    print("WRONG  " + what)
  }

  /// Ends the program: with an error if a figure is none.
  func finish() {
    guard wrong > 0 else { return }
    fflush(nil)
    exit(1)
  }

  private func verdict(_ met: Bool) -> String { met ? "   met" : "   MISSED" }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  enum Unit {
    case ns, µs

    func text(_ nanoseconds: Double) -> String {
      switch self {
      case .ns: String(format: "%8.1f ns", nanoseconds)
      case .µs: String(format: "%8.1f µs", nanoseconds / 1000)
      }
    }
  }
}
