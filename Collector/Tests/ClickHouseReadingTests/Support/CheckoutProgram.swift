import Foundation
import Testing

@testable import AutoMobileCollector

/// A small program with debug information, and where its functions are: what a report of it says before anybody has its symbols.
struct CheckoutProgram: Sendable {
  let path: String
  let build: String
  private let functions: [String: UInt64]
  private static let base: UInt64 = 0x5000_0000

  /// Built once for all tests.
  static var shared: CheckoutProgram { get async throws { try await made.value } }

  private static let folder = FileManager.default.temporaryDirectory.appending(path: "checkout-\(UUID().uuidString)")
  private static let made = Task {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: CheckoutProgram.folder) }
    return try await offLoop { try CheckoutProgram() }
  }

  private init() throws {
    let source = Self.folder.appending(path: "checkout.c")
    path = Self.folder.appending(path: "checkout").path
    try """
    int price(int *prices) { int price = *prices; return price * price; }
    int refund(int *prices) { int price = *prices; return -price; }
    int main(int count, char **words) { return price(&count) + refund(&count); }
    """.write(to: source, atomically: true, encoding: .utf8)
    _ = try Self.run("cc", "-g", "-O0", "-Wl,--build-id", "-o", path, source.path)
    var functions: [String: UInt64] = [:]
    for line in try Self.run("nm", path).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3, let place = UInt64(words[0], radix: 16) { functions[String(words[2])] = place }
    }
    self.functions = functions
    let notes = try Self.run("readelf", "-n", path)
    build = try #require(
      notes.split(separator: "\n").first { $0.contains("Build ID:") }?.split(separator: " ").last.map(String.init))
  }

  private static func run(_ words: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: said, as: UTF8.self)
  }

  /// The members of a crash's event.
  ///
  /// - Parameters:
  ///   - offset: into the function, in bytes: another one is another place of the same function.
  ///   - isNamed: whether the device knew its symbols.
  func crash(in function: String, offset: UInt64 = 8, isNamed: Bool = false) throws -> String {
    let frames = try [(function, offset), ("main", 12)].map { name, offset in
      let place = try #require(functions[name]) + offset
      let symbol = isNamed ? #","symbol":"\#(name)","symbolOffset":\#(offset)"# : ""
      return
        #"{"address":"0x\#(String(Self.base + place, radix: 16))","image":0,"offset":"0x\#(String(place, radix: 16))"\#(symbol),"trust":"cfi"}"#
    }
    return #""errorDomain":"SIGSEGV","errorMessage":null,"stackTrace":"","report":{"format":1,"kind":"signal","#
      + #""architecture":"x86_64","os":"Linux","signal":{"number":11,"name":"SIGSEGV","code":1,"codeName":"SEGV_MAPERR","address":"0x8"},"#
      + #""threads":[{"id":7,"crashed":true,"frames":[\#(frames.joined(separator: ","))]}],"#
      + #""images":[{"name":"checkout","path":"/nowhere/checkout","uuid":"\#(build)","base":"0x\#(String(Self.base, radix: 16))","#
      + #""size":1048576,"architecture":"x86_64"}],"notes":[]}"#
  }
}
