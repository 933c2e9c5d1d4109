import AutoMobileJournal
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// How much of the memory the bodies that are being received may take, over all connections.
final class BodyBudget: Sendable {
  private struct Used {
    var all = 0
    var shares: [String: Int] = [:]
  }

  private let used = NIOLockedValueBox(Used())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// - Parameter share: whose body it is; one key has at most half of the room.
  fileprivate func take(_ bytes: Int, _ share: String?) throws {
    let isTaken = used.withLockedValue { used in
      guard used.all + bytes <= limit, share.map({ used.shares[$0, default: 0] + bytes <= limit / 2 }) ?? true else {
        return false
      }
      used.all += bytes
      if let share { used.shares[share, default: 0] += bytes }
      return true
    }
    if !isTaken { throw APIError.busy("too much is being received right now: try again", retryAfter: 1) }
  }

  fileprivate func giveBack(_ bytes: Int, _ share: String?) {
    used.withLockedValue { used in
      used.all -= bytes
      guard let share else { return }
      let left = used.shares[share, default: 0] - bytes
      used.shares[share] = left > 0 ? left : nil
    }
  }

  /// Calls `body` with a lease that counts what it holds; all of it is given back at the end.
  func withLease<Result: Sendable>(
    of share: String? = nil, _ body: (Lease) async throws -> Result
  ) async throws -> Result {
    let lease = Lease(budget: self, share: share)
    defer { lease.end() }
    return try await body(lease)
  }

  final class Lease: Sendable {
    private let budget: BodyBudget
    private let share: String?
    private let held = NIOLockedValueBox(0)
    private let came = NIOLockedValueBox(0)

    fileprivate init(budget: BodyBudget, share: String?) {
      self.budget = budget
      self.share = share
    }

    func take(_ bytes: Int) throws {
      try budget.take(bytes, share)
      held.withLockedValue { $0 += bytes }
    }

    /// Bytes of bodies as they came, compressed or not.
    var received: Int { came.withLockedValue { $0 } }

    fileprivate func note(received bytes: Int) { came.withLockedValue { $0 += bytes } }

    fileprivate func end() { budget.giveBack(held.withLockedValue { $0 }, share) }
  }
}

extension Request {
  /// The whole body, decompressed.
  ///
  /// - Throws: ``APIError``: 400 when it breaks off or is not what its coding says, 413 when it is too large, 415 for another coding, 429
  ///   when too much is being received at this moment.
  func contents(limits: CollectorLimits, lease: BodyBudget.Lease) async throws -> ByteBuffer {
    let announced = try announcedLength(limits)
    let coding = headers[.contentEncoding]?.lowercased() ?? "identity"
    guard ["identity", "gzip", "x-gzip", "deflate"].contains(coding) else {
      throw APIError(
        .unsupportedMediaType, "unsupported_encoding",
        "Content-Encoding \"\(coding.prefix(32))\" is not supported: send gzip, deflate or nothing")
    }
    let body = try await collect(announced: announced, limits: limits, lease: lease)
    lease.note(received: body.readableBytes)
    if coding == "identity" { return body }
    do {
      let limit = limits.decompressedBytes
      let result = try coding == "deflate" ? Inflater.inflate(body, limit: limit) : Inflater.gunzip(body, limit: limit)
      try lease.take(result.readableBytes)
      return result
    } catch let failure as Inflater.Failure {
      throw failure.refusal(of: body, "body", coding: coding == "deflate" ? coding : "gzip", limits)
    }
  }

  /// The whole body, as it came.
  ///
  /// - Throws: ``APIError``, as ``contents(limits:lease:)`` does.
  func body(limits: CollectorLimits, lease: BodyBudget.Lease) async throws -> ByteBuffer {
    try await collect(announced: announcedLength(limits), limits: limits, lease: lease)
  }

  private func announcedLength(_ limits: CollectorLimits) throws -> Int? {
    guard let text = headers[.contentLength] else { return nil }
    guard let length = Int(text), length >= 0 else {
      throw APIError.badRequest("invalid_length", "Content-Length is not a number")
    }
    guard length <= limits.bodyBytes else {
      throw APIError.tooLarge("the body has \(length) bytes, more than \(limits.bodyBytes): send smaller batches")
    }
    return length
  }

  private func collect(announced: Int?, limits: CollectorLimits, lease: BodyBudget.Lease) async throws -> ByteBuffer {
    var body = ByteBuffer()
    for try await var part in self.body {
      try lease.take(part.readableBytes)
      guard body.readableBytes + part.readableBytes <= limits.bodyBytes else {
        throw APIError.tooLarge("the body has more than \(limits.bodyBytes) bytes: send smaller batches")
      }
      if body.readableBytes == 0 {
        // Room for all at once, but not for what was announced and may never come.
        if let announced, announced > part.readableBytes {
          body.reserveCapacity(min(announced, 1 << 20))
          body.writeBuffer(&part)
        } else {
          body = part
        }
      } else {
        body.writeBuffer(&part)
      }
    }
    if let announced, body.readableBytes != announced {
      throw APIError.badRequest(
        "truncated", "the body ends after \(body.readableBytes) of \(announced) bytes", offset: body.readableBytes
      )
    }
    return body
  }
}

extension Inflater.Failure {
  /// What whoever sent it is told.
  ///
  /// - Parameters:
  ///   - body: as it came.
  ///   - what: is it?
  func refusal(of body: ByteBuffer, _ what: String, coding: String, _ limits: CollectorLimits) -> APIError {
    switch self {
    case .tooLarge: .tooLarge("the \(what) is larger than \(limits.decompressedBytes) bytes after decompression")
    case .truncated: .badRequest("truncated", "the \(coding) body is incomplete", offset: body.readableBytes)
    case .malformed(let offset):
      .badRequest("invalid_\(coding)", "the body is not \(coding), or is damaged", offset: offset)
    case .unknownDictionary:
      APIError(
        .unsupportedMediaType, "unknown_dictionary",
        "the \(what) was compressed with another dictionary than \(BatchDictionary.name): send it without one")
    }
  }
}
