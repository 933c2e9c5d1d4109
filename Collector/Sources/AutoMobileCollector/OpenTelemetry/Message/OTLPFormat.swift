import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import OpenTelemetryProto
import SwiftProtobuf

/// The two encodings of the OpenTelemetry protocol over HTTP; an answer has the one of its request.
enum OTLPFormat: String, Sendable, CaseIterable {
  case protobuf, json

  static let mediaTypes = "application/x-protobuf, application/json"

  /// As a request says it.
  ///
  /// - Throws: ``APIError`` 415. A type that a web page could send without asking first is neither.
  init(_ request: Request) throws {
    let type = request.headers[.contentType] ?? ""
    switch type.prefix(while: { $0 != ";" }).lowercased().filter({ $0 != " " }) {
    case "application/x-protobuf": self = .protobuf
    case "application/json": self = .json
    default:
      throw APIError(
        .unsupportedMediaType, "unsupported_media_type",
        "Content-Type \"\(type.prefix(64))\" is not supported: send one of \(Self.mediaTypes)")
    }
  }

  var mediaType: String { self == .protobuf ? "application/x-protobuf" : "application/json" }

  // MARK: Reading

  /// Reads a message, after it has been counted: see ``WireCount``.
  ///
  /// - Throws: ``APIError`` 400.
  func read<M: Message>(_ type: M.Type, _ body: ByteBuffer) throws -> M {
    do {
      switch self {
      case .protobuf: return try M(serializedBytes: [UInt8](body.readableBytesView))
      case .json:
        var options = JSONDecodingOptions()
        // A newer sender may know more.
        options.ignoreUnknownFields = true
        return try M(jsonUTF8Bytes: [UInt8](body.readableBytesView), options: options)
      }
    } catch {
      throw APIError.badRequest("invalid_otlp", "the request cannot be read as OTLP in \(rawValue): \(error)")
    }
  }

  // MARK: Answering

  func response(_ message: any Message, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: mediaType, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: bytes(of: message)))
  }

  /// An error as the protocol wants it: a `google.rpc.Status`.
  func response(_ error: APIError) -> Response {
    var status = Google_Rpc_Status()
    status.code = Self.code(of: error.status)
    status.message = error.message
    var response = response(status, status: error.status)
    if let retryAfter = error.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
    return response
  }

  func bytes(of message: any Message) -> ByteBuffer {
    switch self {
    case .protobuf: return ByteBuffer(bytes: (try? message.serializedBytes() as [UInt8]) ?? [])
    case .json:
      var options = JSONEncodingOptions()
      options.alwaysPrintEnumsAsInts = true
      return ByteBuffer(bytes: (try? message.jsonUTF8Bytes(options: options) as [UInt8]) ?? Array("{}".utf8))
    }
  }

  /// gRPC's number for what went wrong.
  private static func code(of status: HTTPResponse.Status) -> Int32 {
    switch status.code {
    case 400, 413, 415: 3
    case 401: 16
    case 403: 7
    case 404: 5
    case 429: 8
    case 503: 14
    default: 13
    }
  }
}

/// In OTLP's JSON, ids are hexadecimal, while protobuf's JSON has bytes in base64. Hexadecimal digits are digits of base64 too, and
/// ids have a multiple of four of them: so an id is carried through protobuf's JSON as the bytes that its digits stand for there.
enum HexID {
  /// The bytes of an id that came in OTLP's JSON; nil when it is none.
  static func bytes(fromJSON data: Data, count: Int) -> Data? {
    data.count == count * 3 / 2 ? bytes(data.base64EncodedString(), count: count) : nil
  }

  /// Reads digits; nil when there are others, or another number of them.
  static func bytes(_ text: some StringProtocol, count: Int) -> Data? {
    guard text.utf8.count == count * 2 else { return nil }
    var result = Data(capacity: count)
    var half: UInt8?
    for digit in text.utf8 {
      guard let value = JSONScanner.hexValue(digit) else { return nil }
      if let high = half {
        result.append(high << 4 | value)
        half = nil
      } else {
        half = value
      }
    }
    return result
  }
}
