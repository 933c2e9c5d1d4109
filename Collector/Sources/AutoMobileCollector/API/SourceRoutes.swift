import Foundation
import Hummingbird

/// `/api/symbols/sources`, the sources of builds, and `/api/settings/sources`, how the files of an app are opened.
struct SourceRoutes: Sendable {
  let symbolizer: Symbolizer
  let sources: SourceStore
  let links: SourceLinkStore
  let bodies: SmallBodies
  /// Of an archive: what is in it has a limit of its own.
  static let mostBytes = Int64(SourceArchive.Limits.bytes + (8 << 20))

  func add(to routes: RouteTable) {
    routes.post("/api/symbols/sources", for: .operator) { request, _, scope in try await upload(request) }
    routes.get("/api/settings/sources", for: .fullReader) { _, _, _ in list() }
    routes.put("/api/settings/sources", for: .operator) { request, context, scope in try await set(request, context) }
  }

  /// The body is an archive as `automobile symbols add --sources` makes it.
  private func upload(_ request: Request) async throws -> Response {
    let builds = try request.parameters("build").map { text in
      guard let id = SymbolID(text) else {
        throw APIError.badRequest("invalid_build", "build must be an ELF build id or a Mach-O UUID, in hex")
      }
      return id
    }
    guard !builds.isEmpty else { throw APIError.badRequest("no_build", "give the build of these sources: build=ID") }
    let known = symbolizer.store.known(among: builds)
    guard let unknown = builds.first(where: { !known.contains($0) }) else {
      return try await keep(request, for: builds)
    }
    throw APIError(.notFound, "no_symbols", "no symbols for build \(unknown.text): add these first")
  }

  private func keep(_ request: Request, for builds: [SymbolID]) async throws -> Response {
    let part = symbolizer.store.partial()
    defer { try? FileManager.default.removeItem(at: part) }
    do {
      let limit = Self.mostBytes
      try await request.receive(into: part, limit: limit, tooLarge: "the sources are larger than \(limit) bytes")
      let contents = try await offLoop { [sources] in try sources.add(part, for: builds) }
      return JSONOutput.ok {
        $0.member("files", Int64(contents.files.count))
        $0.member("bytes", Int64(contents.files.reduce(0) { $0 + $1.bytes }))
        $0.member("commit", contents.commit)
      }
    } catch let failure as SourceArchive.Failure {
      throw APIError(.unprocessableContent, "no_sources", "the archive \(failure)")
    } catch let error as SystemError {
      throw APIError(.serviceUnavailable, "storage", "the sources could not be stored: \(error)", retryAfter: 10)
    }
  }

  private func list() -> Response {
    var json = JSONOutput()
    json.object {
      $0.array("sources") {
        for (app, setting) in links.all {
          $0.object {
            $0.member("app", app)
            $0.member("link", setting.link.template)
            $0.member("root", setting.link.root)
            $0.member("changedAt", setting.changedAt)
            $0.member("changedBy", setting.changedBy)
          }
        }
      }
      $0.array("schemes") { for scheme in SourceLink.schemes { $0.string(scheme) } }
    }
    return json.response()
  }

  private func set(_ request: Request, _ context: CollectorContext) async throws -> Response {
    let tree = try await bodies.json(request, maximumDepth: 4)
    guard case .object(let members) = tree, Set(members.keys).isSubset(of: ["app", "link", "root"]),
      let app = members["app"]?.string
    else {
      throw APIError.badRequest(
        "invalid_source",
        "send {\"app\": BUNDLE, \"link\": \"vscode://file/{path}:{line}\", \"root\": null}; link null removes it")
    }
    let template = members["link"]?.string
    guard template != nil || members["link"]?.isNull != false else {
      throw APIError.badRequest("invalid_link", "link must be a text, or null")
    }
    let root = members["root"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    try await links.set(
      template.map { SourceLink(template: $0, root: root) }, for: app, by: context.author(request), at: WallClock.now)
    return list()
  }
}
