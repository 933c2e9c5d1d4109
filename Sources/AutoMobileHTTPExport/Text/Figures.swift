import Foundation

/// Sizes for people.
public enum ByteCount {
  /// For example `512 bytes`, `1.5 KB`, `20 MB`; a thousand is 1000.
  public static func text(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(max(0, bytes)) bytes" }
    var size = Double(bytes)
    for unit in ["KB", "MB", "GB", "TB"] {
      size /= 1000
      guard size >= 999.95, unit != "TB" else { return decimal(size) + " " + unit }
    }
    return ""
  }

  /// One digit after the point, and none from ten on.
  static func decimal(_ number: Double) -> String {
    let rounded = number >= 9.95 ? number.rounded() : (number * 10).rounded() / 10
    let text = String(rounded)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// Durations for people.
public enum DurationText {
  /// For example `0.4 ms`, `120 ms`, `2.5 s`.
  public static func text(milliseconds: Double) -> String {
    guard milliseconds.isFinite, milliseconds >= 0 else { return "unknown" }
    return milliseconds < 999.5
      ? ByteCount.decimal(milliseconds) + " ms" : ByteCount.decimal(milliseconds / 1000) + " s"
  }
}
