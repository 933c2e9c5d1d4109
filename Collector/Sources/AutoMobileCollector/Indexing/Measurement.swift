/// What health is made of, as the SDK's own events tell it. What is no plausible number is passed over.
enum Measurement {
  /// Microseconds.
  case launch(kind: String, total: Int64, beforeMain: Int64?)
  case frames(Frames)
  /// A gesture that shows that something is wrong; the screen, when the event says it.
  case tap(kind: String, screen: String?, element: String)

  struct Frames {
    var screen: String
    /// Milliseconds.
    var duration: Int64
    var frames: Int64
    var slow: Int64
    var frozen: Int64
    /// Microseconds.
    var worst: Int64
    /// A second in which frames came late, of a visit that is told of when it ends.
    var isSecond: Bool
  }

  /// The names of the SDK's own measurements.
  static let launchName: StaticString = "App Launch"
  static let framesName: StaticString = "Frames"
  /// The gestures that show that something is wrong.
  static let rageTap: StaticString = "rage_tap"
  static let deadTap: StaticString = "dead_tap"
  static let longestScreen = 200

  private static let maximumSize = 16 << 10

  /// - Parameter payload: of a custom event.
  init?(custom payload: UnsafeRawBufferPointer) {
    guard let tree = Self.tree(payload), let properties = tree["properties"] else { return nil }
    let values = Properties(tree: properties)
    switch tree["name"]?.string {
    case "\(Self.launchName)":
      guard let total = values.microseconds("totalMs") else { return nil }
      self = .launch(
        kind: String((values.text("kind") ?? "").prefix(40)), total: total,
        beforeMain: values.microseconds("preMainMs"))
    case "\(Self.framesName)":
      guard let frames = values.count("frames") else { return nil }
      self = .frames(
        Frames(
          screen: String((values.text("screen") ?? "").prefix(Self.longestScreen)),
          duration: (values.microseconds("durationMs") ?? 0) / 1000, frames: frames, slow: values.count("slow") ?? 0,
          frozen: values.count("frozen") ?? 0, worst: values.microseconds("worstMs") ?? 0,
          isSecond: values.text("scope") == "second"))
    default: return nil
    }
  }

  /// - Parameter payload: of an interaction.
  init?(interaction payload: UnsafeRawBufferPointer) {
    guard let tree = Self.tree(payload), let kind = tree["interactionType"]?.string,
      ["\(Self.rageTap)", "\(Self.deadTap)"].contains(kind)
    else { return nil }
    let properties = tree["properties"]
    let names = ["text", "accessibilityLabel", "accessibilityIdentifier", "viewType"]
    let element = names.lazy.compactMap { properties?[$0]?.string }.first { !$0.isEmpty }
    self = .tap(
      kind: kind, screen: properties?["screen"]?.string.map { String($0.prefix(Self.longestScreen)) },
      element: String((element ?? "").prefix(200)))
  }

  private static func tree(_ payload: UnsafeRawBufferPointer) -> JSONTree? {
    payload.count <= maximumSize ? try? JSONTree(checking: payload, maximumDepth: 8) : nil
  }

  /// Properties as the SDK writes them: numbers, or numbers as text.
  private struct Properties {
    var tree: JSONTree

    func text(_ name: String) -> String? { tree[name]?.string }

    private func number(_ name: String) -> Double? {
      let value = tree[name]
      return value?.number ?? value?.string.flatMap(Double.init)
    }

    /// Of milliseconds, up to a day.
    func microseconds(_ name: String) -> Int64? {
      guard let value = number(name), (0...86_400_000).contains(value) else { return nil }
      return Int64((value * 1000).rounded())
    }

    func count(_ name: String) -> Int64? {
      guard let value = number(name), (0...1e9).contains(value) else { return nil }
      return Int64(value.rounded())
    }
  }
}
