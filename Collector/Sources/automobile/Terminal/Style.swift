/// Colours for a terminal, and nothing for anything else. They are marks until ``Console`` writes them.
struct Style: Sendable {
  var coloured: Bool

  func bold(_ text: String) -> String { paint(1, text) }
  func dim(_ text: String) -> String { paint(2, text) }
  func red(_ text: String) -> String { paint(31, text) }
  func green(_ text: String) -> String { paint(32, text) }
  func yellow(_ text: String) -> String { paint(33, text) }
  func blue(_ text: String) -> String { paint(34, text) }
  func magenta(_ text: String) -> String { paint(35, text) }
  func cyan(_ text: String) -> String { paint(36, text) }

  private func paint(_ code: UInt32, _ text: String) -> String {
    coloured && !text.isEmpty ? TerminalMark.rendition(code) + text + TerminalMark.rendition(0) : text
  }
}
