import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// `/api/symbols`: which builds' symbols are here, and the way for more.
struct SymbolRoutes: Sendable {
  let symbolizer: Symbolizer
  let sources: SourceStore
  let limits: CollectorLimits
  let onAdded: @Sendable () -> Void

  private var store: SymbolStore { symbolizer.store }

  func add(to routes: RouteTable) {
    routes.get("/api/symbols", for: .fullReader) { _, _, _ in list() }
    routes.post("/api/symbols", for: .operator) { request, _, scope in try await upload(request) }
    routes.delete("/api/symbols/{id}", for: .operator) { _, context, scope in try remove(context) }
  }

  private func list() -> Response {
    let entries = store.all
    var json = JSONOutput()
    json.object {
      $0.array("symbols") { for entry in entries { entry.write(to: &$0) } }
      $0.member("bytes", entries.reduce(0) { $0 + $1.bytes })
      $0.member("limit", limits.symbolStoreBytes)
      $0.member("symbolizer", symbolizer.tools.symbolizer?.path)
      $0.member("problem", symbolizer.problem)
    }
    return json.response()
  }

  /// The body is one file, as it is. Written to the disk as it comes.
  private func upload(_ request: Request) async throws -> Response {
    let part = store.partial()
    defer { try? FileManager.default.removeItem(at: part) }
    do {
      try await request.receive(
        into: part, limit: limits.symbolFileBytes,
        tooLarge: "the file is larger than \(limits.symbolFileBytes) bytes: send the debug file alone")
      let name = request.parameter("name") ?? "symbols"
      let results = try await offLoop { [store] in try store.add(part.path, name: name, by: .move) }
      for result in results where result.outcome != .known {
        if let id = SymbolID(result.entry.id) { symbolizer.forget(id) }
      }
      if results.contains(where: { $0.outcome != .known }) { onAdded() }
      return answer(results)
    } catch let failure as SymbolFile.Failure {
      throw APIError(.unprocessableContent, "no_symbols", "the file \(failure)")
    } catch let error as SystemError {
      throw APIError(.serviceUnavailable, "storage", "the file could not be stored: \(error)", retryAfter: 10)
    }
  }

  private func answer(_ results: [(entry: SymbolStore.Entry, outcome: SymbolStore.Outcome)]) -> Response {
    JSONOutput.ok {
      $0.array("added") { for result in results where result.outcome != .known { result.entry.write(to: &$0) } }
      $0.array("known") { for result in results where result.outcome == .known { result.entry.write(to: &$0) } }
    }
  }

  private func remove(_ context: CollectorContext) throws -> Response {
    guard let id = context.parameters.get("id").flatMap({ SymbolID($0) }), try store.remove(id) else {
      throw APIError(.notFound, "no_symbols", "no symbols for this build")
    }
    symbolizer.forget(id)
    sources.remove(id)
    return JSONOutput.ok()
  }
}

extension SymbolStore.Entry {
  fileprivate func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("name", name)
      $0.member("format", format.rawValue)
      $0.member("architecture", architecture)
      $0.member("lines", hasLines)
      $0.member("bytes", bytes)
      $0.member("added", added)
    }
  }
}
