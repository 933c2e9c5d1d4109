import ArgumentParser
import AutoMobileCollector
import Foundation
import NIOCore

/// `automobile symbols add PATH…`: copies programs and debug files into the collector.
struct SymbolsAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add programs with debug information, debug files or dSYMs.",
    discussion: """
      A directory (a dSYM, an archive, a build directory) is searched for everything with debug information. Earlier \
      reports are symbolicated again. With --sources, the lines around each frame are shown as well: the directory's source \
      files are copied for these builds, 64 MB at most. With --json, one build per line.
      """)

  @Argument(help: "Files, dSYMs, or directories with them.")
  var paths: [String]

  @Option(help: "The directory of the sources that were built, such as the root of the checkout.")
  var sources: String?

  @Option(help: "Its commit, for links to GitHub, GitLab and others: --commit $(git rev-parse HEAD)")
  var commit: String?

  @OptionGroup var collector: ConnectionOptions

  func run() async throws {
    let console = Console.standard
    let client = try collector.client(keyVariables: [CollectorClient.operatorKeyVariable])
    let files = try SymbolSearch.files(at: paths)
    for skipped in files.skipped { console.note(Printable.text("\(skipped.path) \(skipped.reason)")) }
    guard !files.found.isEmpty else {
      throw Failure(
        message: "Nothing with debug information found.",
        advice: "Build with -g; for Apple's platforms name the .dSYM.")
    }
    let archive =
      try sources.map { try SourceSearch.archive(of: $0, commit: commit) }
      ?? commit.map { try SourceSearch.archive(ofNothing: $0) }
    var known = Set<String>()
    for entry in try await client.get("/api/symbols")["symbols"]?.array ?? [] where entry["lines"]?.bool == true {
      if let id = entry["id"]?.string { known.insert(id) }
    }
    var rows: [[String]] = []
    for file in files.found {
      let isKnown = file.builds.allSatisfy { known.contains($0.id.text) }
      let answer: JSON = isKnown ? [:] : try await client.upload(file.path, to: "/api/symbols", name: file.name)
      let added = Set((answer["added"]?.array ?? []).compactMap { $0["id"]?.string })
      known.formUnion(file.builds.filter(\.hasLines).map(\.id.text))
      for build in file.builds {
        let outcome = added.contains(build.id.text) ? "added" : "already known"
        if collector.json {
          let line: JSON = [
            "id": .string(build.id.text), "name": .string(file.name), "architecture": .string(build.architecture),
            "lines": .bool(build.hasLines), "outcome": .string(outcome == "added" ? "added" : "known"),
          ]
          console.out(line.line)
        }
        rows.append([
          file.name, build.architecture, String(build.id.text.prefix(12)), build.hasLines ? "lines" : "names only",
          outcome,
        ])
      }
    }
    if let archive {
      try await send(archive, for: files.found.flatMap(\.builds).filter(\.hasLines).map(\.id.text), to: client)
    }
    guard !collector.json else { return }
    var table = Table(columns: [
      .init(title: "FILE", minimum: 12), .init(title: "ARCH", rank: 2), .init(title: "BUILD", paint: { $0.cyan($1) }),
      .init(title: "CONTAINS", rank: 1, paint: { $1.hasPrefix("names") ? $0.yellow($1) : $1 }),
      .init(title: "", paint: { $1.hasPrefix("added") ? $0.green($1) : $0.dim($1) }),
    ])
    table.rows = rows.map { $0.map(Printable.text) }
    for line in table.lines(width: console.width, style: console.style) { console.out(line) }
  }

  private func send(_ archive: SourceSearch.Archive, for builds: [String], to client: CollectorClient) async throws {
    // As many as the collector takes at once.
    for start in stride(from: 0, to: builds.count, by: 32) {
      let some = builds[start..<min(start + 32, builds.count)]
      _ = try await client.send(
        .POST, "/api/symbols/sources", some.map { ("build", $0) }, type: "application/octet-stream",
        body: .bytes(ByteBuffer(data: archive.data)), timeout: .minutes(15))
    }
    for skipped in archive.skipped { Console.standard.note(Printable.text("\(skipped) was left out: it is too large")) }
    guard archive.files > 0, !collector.json else { return }
    Console.standard.note("\(Format.plural(archive.files, "source file")), \(Format.bytes(archive.data.count))")
  }
}
