import Foundation

/// Prints figures as they come, one line each, beside what was promised.
struct Report {
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
