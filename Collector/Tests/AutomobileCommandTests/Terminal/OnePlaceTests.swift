import Foundation
import Testing

/// Whoever writes to standard output or error writes through `Console`, which escapes what a terminal would obey.
@Suite struct `One place writes to the terminal` {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
    .standardizedFileURL

  /// Ways around it.
  private static let forbidden = [
    #"\b(debugPrint|print|dump|putchar|puts|fputs|fwrite|fprintf|vprintf|perror|NSLog)\s*\("#,
    #"\bFileHandle\.standard(Output|Error)\b"#, #"[(:=,]\s*\.standard(Output|Error)\b"#, #"\bSTD(OUT|ERR)_FILENO\b"#,
    #"\b(Glibc|Darwin|Foundation)\.std(out|err)\b"#, #"[(,]\s*std(out|err)\s*[,)]"#, #"\bStreamLogHandler\b"#,
    #"\bwrite\(\s*[12]\s*,"#, #"\\u\{(1[Bb]|9[Bb])\}"#, #""/dev/(tty|stdout|stderr|fd)"#,
  ]
  /// The place itself, and the sequences that it writes.
  private static let place = ["Terminal/Console.swift", "Terminal/TerminalMark.swift"]

  private static func findings(in text: String) -> [String] {
    text.split(separator: "\n").filter { line in
      let code = line.trimmingCharacters(in: .whitespaces)
      return !code.hasPrefix("//") && forbidden.contains { code.range(of: $0, options: .regularExpression) != nil }
    }.map(String.init)
  }

  @Test func `no other file of the program or its library writes to standard output or error`() throws {
    var files = 0
    for target in ["automobile", "AutoMobileCollector"] {
      let directory = Self.sources.appending(path: target)
      for case let path as String in try #require(FileManager.default.enumerator(atPath: directory.path))
      where path.hasSuffix(".swift") && !(target == "automobile" && Self.place.contains(path)) {
        let text = try String(contentsOf: directory.appending(path: path), encoding: .utf8)
        #expect(Self.findings(in: text).isEmpty, "\(target)/\(path)")
        files += 1
      }
    }
    #expect(files > 200)
  }

  @Test(arguments: [
    "print(name)", "  Swift.print(\"x\")", "debugPrint(x)", "FileHandle.standardOutput.write(data)",
    "let handle: FileHandle = .standardError", "write(STDOUT_FILENO, p, n)", "fputs(text, stdout)", "write(1, p, n)",
    "Logger(label: l) { StreamLogHandler.standardError(label: $0) }", #"let red = "\u{1B}[31m""#,
    #"open("/dev/tty", O_WRONLY)"#,
  ])
  func `each way around it is found`(line: String) { #expect(Self.findings(in: line).count == 1) }

  @Test(arguments: ["// print(x)", "blueprint(x)", "process.standardOutput = pipe", "console.out(line)"])
  func `what only looks like one is not`(line: String) { #expect(Self.findings(in: line).isEmpty) }
}
