import Testing

@testable import automobile

@Suite struct `Recorded text in a terminal` {
  @Test(arguments: [
    ("plain", "plain"), ("Müsli 🥐 カフェ", "Müsli 🥐 カフェ"),
    ("\u{1B}[2J\u{1B}]0;owned\u{7}", "\\u{1B}[2J\\u{1B}]0;owned\\u{7}"),
    ("two\nlines\r\n\tand a tab", "two\\nlines\\r\\n\\tand a tab"),
    ("C1 \u{9B}31m", "C1 \\u{9B}31m"), ("\u{7F}", "\\u{7F}"),
    ("photo_\u{202E}gnp.exe", "photo_\\u{202E}gnp.exe"), ("line\u{2028}separator", "line\\u{2028}separator"),
  ])
  func `control and direction characters become escapes`(recorded: String, printed: String) {
    #expect(Printable.text(recorded) == printed)
  }

  @Test func `JSON stays the same JSON, without control characters`() throws {
    let value: JSON = ["message": "a\u{1B}[0m\u{9B}b\u{202E}c", "n": 3]
    let line = value.line
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0 == "\u{202E}" })
    #expect(try JSON(text: line) == value)
  }
}
