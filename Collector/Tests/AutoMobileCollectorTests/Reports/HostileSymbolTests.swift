import Foundation
import Testing

@testable import AutoMobileCollector

/// Programs and debug files come from whoever may add symbols; a tool that is not ours reads them.
@Suite(.serialized) struct `Symbols that mean harm` {
  /// Off the threads of Swift's concurrency: asking waits.
  private static func ask(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  /// What this thread has started and not ended: other tests ask symbolizers at the same time.
  private static func children() throws -> [Int32] {
    try String(contentsOfFile: "/proc/thread-self/children", encoding: .utf8).split(separator: " ").compactMap {
      Int32($0)
    }
  }

  /// Bytes anywhere in headers, section tables and debug information are changed; the build's name stays.
  @Test(.timeLimit(.minutes(30)))
  func `damaged debug information hangs nobody and leaves no process behind`() async throws {
    let program = try await CrashedProgram.shared
    let count = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] != nil ? 4000 : 60
    let directory = try TemporaryDirectory()
    let whole = Array(try Data(contentsOf: URL(filePath: program.path)))
    let report = try ReportFile.read(Data(program.report().utf8)).event.report
    let sections = try await DebugSections.of(program.path)
    try #require(!sections.isEmpty)
    try await Self.ask {
      let store = try SymbolStore(directory: directory.url.appending(path: "symbols"))
      let symbolizer = Symbolizer(store: store, tools: .found(), timeLimit: 5)
      var taken = 0
      for seed in 0..<count {
        var random = SeededGenerator(UInt64(seed))
        var bytes = whole
        for _ in 0..<Int.random(in: 1...40, using: &random) {
          // Mostly where the symbolizer reads, sometimes in the tables that lead there.
          let isTable = Int.random(in: 0..<8, using: &random) == 0
          let range = isTable ? 64..<1024 : sections.randomElement(using: &random) ?? 64..<1024
          let place = Int.random(in: range.clamped(to: bytes.indices), using: &random)
          bytes[place] = [0, 0xFF, 0x7F, 0x80, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
        }
        let path = directory.url.appending(path: "damaged").path
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        guard let added = try? waitFor({ try await store.add(path, name: "damaged") }) else { continue }
        taken += 1
        _ = try symbolizer.symbolicateNow(report)
        for (entry, _) in added {
          if let id = SymbolID(entry.id) {
            _ = try waitFor { try await store.remove(id) }
            symbolizer.forget(id)
          }
        }
      }
      symbolizer.stop()
      #expect(taken > count / 4)
      #if os(Linux)
      #expect(try Self.children().isEmpty)
      #endif
    }
  }

  /// A tool that takes memory, or time in small pieces, without an end.
  @Test func `a symbolizer's memory, its core files and the time of all its answers are bounded`() async throws {
    let directory = try TemporaryDirectory()
    let script = directory.url.appending(path: "tool")
    try """
    #!/bin/bash
    while read -r line; do
      case "$line" in
      limits) echo "$(ulimit -d) $(ulimit -c) $(ulimit -f) $(ulimit -t)" ;;
      slow) sleep 0.2; echo slow ;;
      *) echo "said $line" ;;
      esac
    done
    """.write(to: script, atomically: true, encoding: .utf8)
    #expect(chmod(script.path, 0o755) == 0)
    try await Self.ask {
      let tool = LineTool(executable: script, arguments: [], timeLimit: 30, totalTime: 4)
      let answers = try tool.ask(["limits"] + Array(repeating: "slow", count: 1000))
      #if os(Linux)
      #expect(answers.first == "\(2 << 20) 0 0 600")
      #endif
      // Each in time, all together not.
      #expect(answers.count == 1001 && answers.last == .some(nil))
      #expect(answers.compactMap { $0 }.count < 100)
      // The next question is a new beginning.
      #expect(try tool.ask(["again"]) == ["said again"])
      #if os(Linux)
      #expect(try Self.children().count == 1, "a child is seen while it is there")
      tool.end()
      #expect(try Self.children().isEmpty)
      #endif
    }
  }

  #if os(Linux)
  /// Debug information can name a file in which the rest of it is: one that never ends, or never begins.
  @Test(arguments: ["/dev/zero", "FIFO"])
  func `debug information that leads to a file without an end costs its own lines only`(kind: String) async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.url.path
    let fifo = folder + "/fifo"
    if kind == "FIFO" { #expect(mkfifo(fifo, 0o600) == 0) }
    let source = folder + "/a.c"
    try "int g; int f(int x) { return x * g; } int main(int c, char **v) { return f(c); }"
      .write(toFile: source, atomically: true, encoding: .utf8)
    let name = folder + "/" + String(repeating: "n", count: 40) + ".o"
    let program = folder + "/program"
    try await Shell.run("clang", "-g", "-gsplit-dwarf", "-c", source, "-o", name)
    try await Shell.run("clang", name, "-Wl,--build-id", "-o", program)
    var bytes = try Data(contentsOf: URL(filePath: program))
    let old = Data((name.dropLast(2) + ".dwo").utf8)
    let place = try #require(bytes.range(of: old))
    let new = Data((kind == "FIFO" ? fifo : kind).utf8)
    bytes.replaceSubrange(place, with: new + Data(count: old.count - new.count))
    try bytes.write(to: URL(filePath: program))
    let symbols = try await Shell.run("nm", program)
    let line = try #require(symbols.split(separator: "\n").first { $0.hasSuffix(" T f") })
    let address = try #require(line.split(separator: " ").first)
    let tools = SymbolTools.found()
    let symbolizer = try #require(tools.symbolizer)
    try await Self.ask {
      let tool = LineTool(
        executable: symbolizer, arguments: ["--output-style=JSON", "--no-demangle"], directory: directory.url,
        timeLimit: 4)
      let answers = try tool.ask(["CODE program 0x\(address)", "CODE program 0x\(address)"])
      #expect(answers.count == 2)
      tool.end()
      #expect(try Self.children().isEmpty)
    }
  }
  #endif
}

/// The parts of a program that a symbolizer reads.
private enum DebugSections {
  static func of(_ path: String) async throws -> [Range<Int>] {
    try await Shell.run("readelf", "-S", "-W", path).split(separator: "\n").compactMap { line in
      guard let bracket = line.firstIndex(of: "]") else { return nil }
      let words = line[line.index(after: bracket)...].split(separator: " ")
      guard words.count > 4, [".debug", ".symtab", ".strtab", ".eh_frame"].contains(where: words[0].hasPrefix),
        let offset = Int(words[3], radix: 16), let size = Int(words[4], radix: 16), size > 0
      else { return nil }
      return offset..<offset + size
    }
  }
}

/// The same damage with the same seed.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
