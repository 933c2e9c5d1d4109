import Crypto
import Foundation
import NIOCore

/// A blob that is put in parts. Nothing of it is there before the last step, and when a step fails what came is given up.
struct S3Upload {
  let client: S3Client
  let name: BlobName
  /// As many as a store takes of one object.
  private static let mostParts: Int64 = 10_000

  /// - Parameter piece: these bytes of the blob; nil when they are not there (any more).
  func put(_ size: Int64, _ piece: (Range<Int64>) async throws -> ByteBuffer?) async throws {
    let id = try await begin()
    do {
      var parts: [(tag: String, hash: Data)] = []
      let step = max(S3Blobs.part, (size + Self.mostParts - 1) / Self.mostParts)
      for start in stride(from: 0, to: size, by: Int(step)) {
        guard let bytes = try await piece(start..<min(size, start + step)) else {
          throw BlobError(.damaged, "what becomes \(name) has become shorter")
        }
        parts.append(try await put(bytes, number: parts.count + 1, id))
      }
      try await end(id, parts, size: size)
    } catch {
      // Also when the task has been cancelled: what came would be kept, and paid for, for ever.
      let client = client
      await Task { _ = try? await client.send(Self.abort(name.key, id)) }.value
      throw error
    }
  }

  private func begin() async throws -> String {
    let answer = try await client.send(
      .init(
        method: .POST, key: name.key, query: [("uploads", "")], headers: [("Content-Type", "application/octet-stream")])
    )
    guard answer.status == 200, let id = S3Document(answer.body.readableBytesView).first("UploadId") else {
      throw BlobError(.refused, "\(client.settings.mark): it begins no upload in parts (\(answer.status))")
    }
    return id
  }

  private func put(_ bytes: ByteBuffer, number: Int, _ id: String) async throws -> (tag: String, hash: Data) {
    let hash = Data(Insecure.MD5.hash(data: bytes.readableBytesView))
    let answer = try await client.send(
      .init(
        method: .PUT, key: name.key, query: [("partNumber", String(number)), ("uploadId", id)],
        headers: [("Content-MD5", hash.base64EncodedString())], body: bytes))
    guard answer.status == 200, let tag = answer.tag else {
      throw BlobError(
        .unavailable, "\(client.settings.mark): it does not take part \(number) of \(name) (\(answer.status))")
    }
    try S3Tag.check(answer, is: hash.hexText, of: name.key, in: client.settings.mark)
    return (tag, hash)
  }

  private func end(_ id: String, _ parts: [(tag: String, hash: Data)], size: Int64) async throws {
    let list = parts.enumerated().map { number, part in
      "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\"\(part.tag)\"</ETag></Part>"
    }.joined()
    let answer = try await client.send(
      .init(
        method: .POST, key: name.key, query: [("uploadId", id)],
        headers: [("Content-Type", "application/xml"), ("If-None-Match", "*")],
        body: ByteBuffer(string: "<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>")))
    // The MD5 of the parts' MD5s, and how many they are.
    let tag = Insecure.MD5.hash(data: parts.reduce(into: Data()) { $0 += $1.hash }).hexText + "-\(parts.count)"
    let blobs = S3Blobs(client: client)
    // An error can come with status 200, when the store found it out late; and the answer to an attempt may have been lost.
    if (200..<300).contains(answer.status), answer.code == nil {
      return try await blobs.compare(name.key, bytes: size, tag: tag)
    }
    guard answer.status == 412 || answer.status == 404 else {
      throw BlobError(
        .unavailable,
        "\(client.settings.mark): it does not put \(name) together (\(answer.status) \(answer.code ?? ""))")
    }
    try await blobs.compare(name.key, bytes: size, tag: tag)
    if answer.status == 412 { _ = try await client.send(Self.abort(name.key, id)) }
  }

  private static func abort(_ key: String, _ id: String) -> S3Client.Request {
    .init(method: .DELETE, key: key, query: [("uploadId", id)])
  }

  /// Ends uploads below the prefix that began before a moment.
  static func endAbandoned(_ client: S3Client, before limit: Date) async throws {
    for folder in BlobName.Folder.allCases {
      let start = client.settings.key("\(folder.rawValue)/")
      let answer = try await client.send(
        .init(method: .GET, query: [("uploads", ""), ("prefix", start), ("max-uploads", "1000")]))
      guard answer.status == 200 else { continue }
      for upload in S3Document(answer.body.readableBytesView).all("Upload") {
        guard let key = upload.first("Key"), key.hasPrefix(start), let id = upload.first("UploadId"),
          let name = BlobName(folder, String(key.dropFirst(start.count))),
          let began = upload.first("Initiated").flatMap(Self.date), began < limit
        else { continue }
        _ = try await client.send(abort(name.key, id))
      }
    }
  }

  private static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}
