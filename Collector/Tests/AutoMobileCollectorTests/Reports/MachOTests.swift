import Foundation
import Testing

@testable import AutoMobileCollector

/// dSYMs, made here by clang, lld and dsymutil as Xcode makes them on a Mac.
@Suite struct `Mach-O symbols` {
  /// A dSYM of a library for macOS; nil where the tools are not installed.
  private static func dSYM(in directory: URL, architectures: [String]) async throws -> [URL] {
    let source = directory.appending(path: "pay.c")
    try """
    static inline int fee(int n) { return *(volatile int *)0 + n; }
    __attribute__((noinline)) int pay(int n) {
      return fee(n) * 2;
    }
    """.write(to: source, atomically: true, encoding: .utf8)
    var results: [URL] = []
    for architecture in architectures {
      let object = directory.appending(path: "pay-\(architecture).o").path
      let library = directory.appending(path: "libpay-\(architecture).dylib").path
      try await Shell.run(
        "clang", "-target", "\(architecture)-apple-macos12", "-g", "-O1", "-c", source.path, "-o", object)
      try await Shell.run(
        try #require(linker), "-arch", architecture, "-platform_version", "macos", "12", "12", "-dylib", "-undefined",
        "dynamic_lookup", "-o", library, object)
      let bundle = directory.appending(path: "pay-\(architecture).dSYM")
      try await Shell.run("dsymutil", "-o", bundle.path, library)
      results.append(bundle.appending(path: "Contents/Resources/DWARF/libpay-\(architecture).dylib"))
    }
    return results
  }

  /// A linker for Apple's platforms: LLVM's, for the one of Swift's own toolchain links for Linux only.
  private static let linker: String? = (13...30).map { "/usr/lib/llvm-\($0)/bin/ld64.lld" }.first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: linker != nil)) func `a dSYM gives lines by its UUID, also out of a universal file`() async throws
  {
    let directory = try TemporaryDirectory()
    let slices = try await Self.dSYM(in: directory.url, architectures: ["arm64", "x86_64"])
    let inspected = try slices.map { try #require(try SymbolFile.inspect($0.path).first) }
    #expect(inspected.map(\.architecture) == ["arm64", "x86_64"])
    #expect(inspected.allSatisfy { $0.format == .macho && $0.hasLines })

    // A universal file, as lipo makes it.
    var universal = Data([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2])
    let contents = try slices.map { try Data(contentsOf: $0) }
    var offset = 4096
    for (slice, type) in zip(contents, [UInt32(0x0100_000C), 0x0100_0007]) {
      for value in [type, 0, UInt32(offset), UInt32(slice.count), 12] {
        withUnsafeBytes(of: value.bigEndian) { universal.append(contentsOf: $0) }
      }
      offset += (slice.count + 4095) / 4096 * 4096
    }
    for slice in contents {
      universal.append(Data(count: (universal.count + 4095) / 4096 * 4096 - universal.count))
      universal.append(slice)
    }
    let file = directory.url.appending(path: "universal")
    try universal.write(to: file)
    #expect(try SymbolFile.inspect(file.path).map(\.id) == inspected.map(\.id))

    let store = try SymbolStore(directory: directory.url.appending(path: "store"))
    #expect(try await store.add(file.path, name: "pay").map(\.outcome) == [.added, .added])
    let nm = try await Shell.run("llvm-nm", directory.url.appending(path: "libpay-arm64.dylib").path)
    let line = try #require(nm.split(separator: "\n").first { $0.hasSuffix(" T _pay") })
    let place = try #require(UInt64(line.prefix { $0 != " " }, radix: 16))

    var report = CrashReport()
    report.images = [.init(name: "pay", id: inspected[0].id, base: 0x1_0000_0000, size: 1 << 20)]
    report.threads = [.init(isCrashed: true)]
    report.threads[0].frames = [.init(image: 0, offset: place, trust: "context")]
    let symbolizer = Symbolizer(store: store, tools: .found())
    let frames = try await symbolizer.symbolicate(report).threads[0].frames
    symbolizer.stop()
    #expect(frames.last?.function == "pay")
    #expect(frames.last?.file?.hasSuffix("pay.c") == true && (2...3).contains(frames.last?.line ?? 0))
  }
}
