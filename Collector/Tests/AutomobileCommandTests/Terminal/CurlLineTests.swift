import AutoMobileHTTP
import AutoMobileHTTPExport
import Foundation
import Testing

@testable import automobile

/// A line for curl is copied out of a terminal, or out of a page, into a shell.
@Suite struct `A line for curl` {
  private static let hostile = [
    "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{1B}[201~; touch /tmp/owned\n", "a\u{9B}2Jb\u{85}", "x\u{202E}gpj.exe\u{2066}",
    "\u{7F}\u{8}\u{8}", "\r", "a\rb", "\t", "tab\tand\u{1B}", "\u{1B}'\u{1B}",
    "'\u{1B}\"$(id)`id`\\\u{1B}%s%%\u{1B}\\033",
    "1\u{1B}2\u{1}3", "\u{200B}\u{FEFF}\u{2028}\u{E0041}", "é € 😀", "\u{1B}\n", "\n\u{1B}", "!!\u{1B}!x",
  ]

  private static let shells = ["sh", "dash", "bash", "zsh", "ksh", "mksh", "busybox"].filter { name in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  /// The arguments that a shell gives to curl, and its standard input.
  private static func run(_ line: String, in shell: String) async throws -> (arguments: [Data], input: Data) {
    let directory = FileManager.default.temporaryDirectory.appending(path: "curl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let script = directory.appending(path: "script")
    let log = directory.path + "/log"
    let stub = """
      curl() { for word in "$@"; do printf '%s\\0' "$word"; done > \(log); case " $* " in *@-*) cat > \(log).in;; esac; }

      """
    try Data((stub + line + "\n").utf8).write(to: script)
    let words = shell == "busybox" ? ["busybox", "sh", script.path] : [shell, script.path]
    let result = try await Tool.run(program: words[0], Array(words.dropFirst()))
    #expect(result.code == 0, "\(shell): \(result.errors)")
    let arguments = try Data(contentsOf: URL(filePath: log)).split(separator: 0, omittingEmptySubsequences: false)
    return (arguments.dropLast().map { Data($0) }, (try? Data(contentsOf: URL(filePath: log + ".in"))) ?? Data())
  }

  private static func isHarmless(_ line: String) -> Bool {
    !line.unicodeScalars.contains { Printable.isUnsafe($0) && $0 != "\n" }
  }

  @Test(arguments: shells)
  func `has nothing in it that a terminal obeys, and gives curl the recorded bytes`(shell: String) async throws {
    for text in Self.hostile {
      var exchange = HTTPExchange(id: "1", startedAt: 0, method: "POST", url: "http://h/\(text)")
      exchange.requestHeaders = ["X-Text": text]
      exchange.requestBody = HTTPBody(bytes: Data(text.utf8), size: text.utf8.count)
      let line = CurlExport.command(exchange)
      #expect(Self.isHarmless(line), "\(shell): \(Array(line.utf8))")
      let (arguments, input) = try await Self.run(line, in: shell)
      #expect(arguments.contains(Data("http://h/\(text)".utf8)), "\(shell): \(line)")
      if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }), !text.allSatisfy({ $0 == "\t" }) {
        #expect(arguments.contains(Data("X-Text: \(text)".utf8)), "\(shell): \(line)")
      }
      let inArgument = arguments.last == Data(text.utf8)
      #expect(inArgument || input == Data(text.utf8), "\(shell): \(line)")
    }
  }

  @Test func `hides what the terminal's one place hides`() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar != "\n", scalar != "\0" else { continue }
      let exchange = HTTPExchange(id: "1", startedAt: 0, method: "GET", url: "http://h/\(scalar)")
      guard Printable.isUnsafe(scalar) || value % 997 == 0 else { continue }
      #expect(Self.isHarmless(CurlExport.command(exchange)), "\(String(value, radix: 16))")
    }
  }
}
