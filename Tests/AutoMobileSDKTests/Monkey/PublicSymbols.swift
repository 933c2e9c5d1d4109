#if os(macOS) || os(Linux)
import Foundation
import TestTools
import Testing

/// The public symbols of modules that do something, by the names that the compiler's symbol graph gives them.
enum PublicSymbols {
  /// Left out are: what a protocol asks for (the types that conform are here), the properties of values, which do
  /// nothing, and what `Codable`, `RawRepresentable` and literals call.
  static func of(_ modules: [String], into directory: URL) throws -> [String] {
    let symbols = try modules.flatMap { try Self.symbols(of: $0, into: directory) }
    func kind(_ symbol: [String: Any]) -> String { (symbol["kind"] as? [String: Any])?["identifier"] as? String ?? "" }
    func path(_ symbol: [String: Any]) -> [String] { symbol["pathComponents"] as? [String] ?? [] }
    let types = Dictionary(symbols.map { (path($0).joined(separator: "."), kind($0)) }, uniquingKeysWith: { $1 })
    return symbols.compactMap { symbol in
      let path = path(symbol)
      guard let name = path.last, !isCalledByOthers(name) else { return nil }
      let parent = types[path.dropLast().joined(separator: ".")] ?? ""
      switch kind(symbol) {
      case "swift.method", "swift.type.method", "swift.init", "swift.func", "swift.func.op", "swift.type.property",
        "swift.subscript":
        guard parent != "swift.protocol" else { return nil }
      case "swift.property":
        guard parent == "swift.class" else { return nil }
      default: return nil
      }
      return path.joined(separator: ".")
    }
  }

  private static func isCalledByOthers(_ name: String) -> Bool {
    ["init(from:)", "encode(to:)", "init(rawValue:)", "encodeFields(into:)", "rawValue", "description"].contains(name)
      || name.hasSuffix("Literal:)")
  }

  /// What it adds to a type of another module of ours stands in a file of its own.
  private static func symbols(of module: String, into directory: URL) throws -> [[String: Any]] {
    try extract(module, into: directory)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { $0 == module + ".symbols.json" || $0.hasPrefix(module + "@AutoMobile") }
    return try names.sorted().flatMap { name in
      let json = try Data(contentsOf: directory.appendingPathComponent(name))
      let graph = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
      return try #require(graph["symbols"] as? [[String: Any]])
    }
  }

  private static func extract(_ module: String, into directory: URL) throws {
    let products = HelperProgram.directory
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let shims = ["CAutoMobileZlib", "CAutoMobileSQLite"].flatMap { shim in
      let map = root.appendingPathComponent("Sources/\(shim)/module.modulemap").standardizedFileURL
      return ["-Xcc", "-fmodule-map-file=" + map.path]
    }
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tool.arguments =
      [
        "swift", "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public",
        "-skip-synthesized-members", "-target", target, "-output-dir", directory.path,
        "-I", products.appendingPathComponent("Modules").path,
        "-Xcc", "-fmodule-map-file=" + products.appendingPathComponent("CAutoMobile.build/module.modulemap").path,
      ] + shims
    try tool.run()
    tool.waitUntilExit()
    try #require(tool.terminationStatus == 0)
  }

  private static var target: String {
    #if arch(x86_64)
    "x86_64-unknown-linux-gnu"
    #else
    "aarch64-unknown-linux-gnu"
    #endif
  }
}
#endif
