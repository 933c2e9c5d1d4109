#if os(macOS) || os(Linux)
import Foundation
import TestTools

/// Where in its sources the victim dies, and what the symbolizer says of it.
enum SourceLine {
  /// The line that is marked as the one that dies in a function: `file:line`.
  static func marked(_ function: String) -> String? {
    let helpers = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Helpers")
    for name in ["crash-ways/ways.c", "crash-ways/exceptions.cpp", "crash-victim/SwiftWays.swift"] {
      guard let text = try? String(contentsOf: helpers.appendingPathComponent(name), encoding: .utf8) else { continue }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      if let index = lines.firstIndex(where: { $0.hasSuffix("dies: \(function)") }) {
        return "\(name.split(separator: "/").last ?? ""):\(index + 1)"
      }
    }
    return nil
  }

  /// What LLVM's symbolizer, which comes with Swift, says of an address of the victim's file: `file:line`; nil when there is
  /// no symbolizer.
  static func found(at offset: UInt64) async -> String? {
    guard let symbolizer else { return nil }
    return await onThread { ask(symbolizer, offset) }
  }

  private static func ask(_ symbolizer: URL, _ offset: UInt64) -> String? {
    let process = Process()
    process.executableURL = symbolizer
    process.arguments = [
      "--obj=\(CrashVictim.program.path)", "--functions=none", "--no-inlines", "0x" + String(offset, radix: 16),
    ]
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // /path/file.c:12:7
    guard let line = text.split(separator: "\n").first?.split(separator: "/").last else { return nil }
    return line.split(separator: ":").prefix(2).joined(separator: ":")
  }

  private static let symbolizer: URL? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/llvm-symbolizer") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()
}
#endif
