/// What was touched, as far as it may be told. Its texts are bounded, and none is empty.
struct TapTarget: Equatable, Sendable {
  var accessibilityLabel: String?
  var accessibilityIdentifier: String?
  var viewType: String?
  var text: String?
  /// Whether a tap on it is meant to do something; nil: nobody knows.
  var isInteractive: Bool?
  /// Where it is said to have been touched, when nobody may know where it was: what is masked is there.
  var coveredPlace: ScreenPoint?

  /// Longer texts are cut, in UTF-8 bytes.
  static let maximumLength = 256

  init(
    accessibilityLabel: String? = nil, accessibilityIdentifier: String? = nil, viewType: String? = nil,
    text: String? = nil, isInteractive: Bool? = nil
  ) {
    self.accessibilityLabel = Self.bounded(accessibilityLabel)
    self.accessibilityIdentifier = Self.bounded(accessibilityIdentifier)
    self.viewType = Self.bounded(viewType)
    self.text = Self.bounded(text)
    self.isInteractive = isInteractive
  }

  /// As properties of an event.
  var properties: [String: String] {
    var properties: [String: String] = [:]
    properties["accessibilityLabel"] = accessibilityLabel
    properties["accessibilityIdentifier"] = accessibilityIdentifier
    properties["viewType"] = viewType
    properties["text"] = text
    return properties
  }

  /// Nil for an empty text; of a long one its beginning, with a mark, however long it is.
  static func bounded(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    let utf8 = text.utf8
    guard var end = utf8.index(utf8.startIndex, offsetBy: maximumLength, limitedBy: utf8.endIndex), end != utf8.endIndex
    else { return text }
    // No character is cut in the middle of its bytes.
    while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { utf8.formIndex(before: &end) }
    return String(decoding: utf8[..<end], as: UTF8.self) + "…"
  }
}
