import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// `/api/symbols`: which builds' symbols are here, and the way for more.
struct SymbolRoutes: Sendable {
  let symbolizer: Symbolizer
  let limits: CollectorLimits
  let onAdded: @Sendable () -> Void

  private var store: SymbolStore { symbolizer.store }

  func add(to routes: RouteTable) {
    routes.get("/api/symbols", for: .reader) { _, _, _ in list() }
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
    // A type that no web page can send without asking first.
    guard request.headers[.contentType] == "application/octet-stream" else {
      throw APIError(
        .unsupportedMediaType, "unsupported_media_type", "send the file as Content-Type application/octet-stream")
    }
    if let length = request.headers[.contentLength].flatMap({ Int64($0) }), length > limits.symbolFileBytes {
      throw tooLarge
    }
    let part = store.partial()
    defer { try? FileManager.default.removeItem(at: part) }
    do {
      try await receive(request, into: part)
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
      throw APIError(.serviceUnavailable, "storage", "the file could not be kept: \(error)", retryAfter: 10)
    }
  }

  private func receive(_ request: Request, into part: URL) async throws {
    let file = try FileDescriptor(
      creating: part.path, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions: 0o600)
    var received: Int64 = 0
    for try await buffer in request.body {
      received += Int64(buffer.readableBytes)
      guard received <= limits.symbolFileBytes else { throw tooLarge }
      // Into the page cache; what takes long is done elsewhere.
      var bytes = buffer.readableBytesView[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError("write", part.path) }
        bytes = bytes.dropFirst(count)
      }
    }
    if let announced = request.headers[.contentLength].flatMap({ Int64($0) }), announced != received {
      throw APIError.badRequest("truncated", "the file breaks off after \(received) of \(announced) bytes")
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
    return JSONOutput.ok()
  }

  private var tooLarge: APIError {
    APIError.tooLarge("the file is larger than \(limits.symbolFileBytes) bytes: send the debug file alone")
  }

  /// Copying gigabytes is nothing for a thread that others wait for.
  private func offLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Swift.Result(catching: body)) }
    }
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
