/// Colours for a terminal, and nothing for anything else.
struct Style: Sendable {
  var coloured: Bool

  func bold(_ text: String) -> String { paint("1", text) }
  func dim(_ text: String) -> String { paint("2", text) }
  func red(_ text: String) -> String { paint("31", text) }
  func green(_ text: String) -> String { paint("32", text) }
  func yellow(_ text: String) -> String { paint("33", text) }
  func blue(_ text: String) -> String { paint("34", text) }
  func magenta(_ text: String) -> String { paint("35", text) }
  func cyan(_ text: String) -> String { paint("36", text) }

  private func paint(_ code: String, _ text: String) -> String {
    coloured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
