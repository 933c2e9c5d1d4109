import HTTPTypes
import Hummingbird
import NIOCore

/// Reads the bodies of requests that bring a small JSON document.
struct SmallBodies: Sendable {
  private let limits: CollectorLimits
  private let budget = BodyBudget(limit: 16 << 20)
  /// The longest where people set something, in bytes.
  static let ofSettings = 16 << 10

  /// - Parameter bytes: longer bodies are refused with 413.
  init(_ limits: CollectorLimits, bytes: Int) {
    var limits = limits
    limits.bodyBytes = bytes
    limits.decompressedBytes = bytes
    self.limits = limits
  }

  /// The body as it is.
  ///
  /// - Throws: ``APIError``, also when it is not declared as JSON: a type that a web page could send without asking
  ///   first is not taken.
  func bytes(_ request: Request) async throws -> ByteBuffer {
    let type = request.headers[.contentType] ?? ""
    guard type.prefix(while: { $0 != ";" }).lowercased().filter({ $0 != " " }) == "application/json" else {
      throw APIError(.unsupportedMediaType, "unsupported_media_type", "send Content-Type: application/json")
    }
    return try await budget.withLease { try await request.contents(limits: limits, lease: $0) }
  }

  func json(_ request: Request, maximumDepth: Int) async throws -> JSONTree {
    let body = try await bytes(request)
    do {
      return try body.withUnsafeReadableBytes { try JSONTree(checking: $0, maximumDepth: maximumDepth) }
    } catch let error as JSONError {
      throw APIError.badRequest("invalid_json", "the body cannot be read \(error)", offset: error.offset)
    }
  }
}
