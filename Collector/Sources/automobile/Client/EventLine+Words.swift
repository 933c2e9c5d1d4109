/// What the SDK records by itself, in words; the viewer says the same (`Web/scripts/events/`).
extension EventLine {
  /// What was tapped: its own words, else what it is called, else where it was.
  static func tap(_ payload: JSON, on screen: String?) -> (title: String, detail: String) {
    var properties = payload["properties"]?.object ?? [:]
    let kind = (payload["interactionType"]?.text ?? "tap").replacing("_", with: " ")
    let words = ["text", "accessibilityLabel", "accessibilityIdentifier"].compactMap {
      properties.removeValue(forKey: $0)?.text
    }
    let view = properties.removeValue(forKey: "viewType")?.text ?? ""
    let place = ["x", "y"].compactMap { properties.removeValue(forKey: $0)?.text }.compactMap(Double.init)
    let own = isInternal(view) ? "" : view
    let rest = pairs(.object(properties))
    if let word = words.first(where: { !$0.isEmpty }) {
      return ("\(kind) “\(word)”", [own, rest].filter { !$0.isEmpty }.joined(separator: " "))
    }
    let isSpot = place.count == 2 && place.allSatisfy { abs($0) < 1e6 }
    let spot = isSpot ? "at \(Int(place[0].rounded())), \(Int(place[1].rounded()))" : ""
    let name = own.isEmpty ? "" : "“\(own)”"
    let at = [kind, name, spot].filter { !$0.isEmpty }.joined(separator: " ")
    return (name.isEmpty && !spot.isEmpty ? at + (screen.map { " in \($0)" } ?? "") : at, rest)
  }

  /// Views of the system's: their names say nothing of the app.
  private static func isInternal(_ view: String) -> Bool {
    ["_", "UI", "NS", "CA", "WK", "SwiftUI"].contains { view.hasPrefix($0) } || view.contains("Hosting")
      || view.contains("PlatformView") || view.contains("CGDrawing")
  }

  /// Of the custom events that are the SDK's own; nil for the app's.
  static func measured(_ payload: JSON) -> (title: String, detail: String)? {
    guard let properties = payload["properties"] else { return nil }
    func number(_ name: String) -> Double? { properties[name].flatMap { $0.number ?? Double($0.text) } }
    func time(_ name: String) -> String? { number(name).map { Format.duration(milliseconds: $0) } }
    switch payload["name"]?.text {
    case "App Launch":
      guard let total = time("totalMs") else { return nil }
      let parts = [
        time("preMainMs").map { "\($0) before main" }, time("mainToInitializeMs").map { "\($0) to the SDK’s start" },
        time("initializeToFirstFrameMs").map { "\($0) to the first frame" },
      ]
      let kind = properties["kind"]?.text
      return ("\(kind.map { "\($0) " } ?? "")launch in \(total)", parts.compactMap { $0 }.joined(separator: " · "))
    case "Frames":
      func whole(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0.rounded()) } }
      guard let frames = whole("frames") else { return nil }
      let (frozen, slow) = (whole("frozen") ?? 0, whole("slow") ?? 0)
      let title =
        frozen > 0
        ? Format.plural(frozen, "frozen frame") : slow > 0 ? Format.plural(slow, "slow frame") : "no slow frames"
      let parts = [
        "\(Format.plural(frames, "frame"))\(time("durationMs").map { " in \($0)" } ?? "")",
        number("fps").map { "\($0) fps" }, time("worstMs").map { "worst \($0)" },
      ]
      return (
        title + (properties["screen"].map { " on \($0.text)" } ?? ""), parts.compactMap { $0 }.joined(separator: " · ")
      )
    default: return nil
    }
  }
}
