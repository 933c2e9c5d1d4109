import AutoMobileTLS
import Crypto
import Foundation
import NIOCore

/// Blobs as objects of an S3 store: Amazon's, or one that speaks the same.
package struct S3Blobs: BlobStore {
  let client: S3Client
  package var place: String { client.settings.mark }

  /// What is larger is put in parts of this size, in bytes: no more of a blob is in memory.
  static let part: Int64 = 8 << 20

  init(client: S3Client) { self.client = client }

  package init(_ settings: S3Settings, credentials: S3Credentials) {
    client = S3Client(settings: settings, credentials: credentials)
  }

  /// - Throws: ``BlobPlace/Invalid`` when the settings' certificates cannot be used.
  package init(_ settings: S3Settings, keys: S3Keys) throws {
    client = S3Client(settings: settings, keys: keys)
    do {
      _ = try client.tls.configuration()
    } catch let error as TLSFileError {
      throw BlobPlace.Invalid(error.description)
    }
  }

  package func put(_ content: BlobContent, as name: BlobName) async throws {
    switch content {
    case .bytes(let bytes) where bytes.readableBytes <= Self.part: try await put(bytes, as: name.key)
    case .bytes(let bytes):
      try await S3Upload(client: client, name: name).put(Int64(bytes.readableBytes)) { range in
        bytes.getSlice(at: bytes.readerIndex + Int(range.lowerBound), length: range.count)
      }
    case .file(let path):
      let size = try await Self.onDisk { try FileBytes.size(path) ?? 0 }
      func piece(_ range: Range<Int64>) async throws -> ByteBuffer? {
        try await Self.onDisk { try FileBytes.read(path, range) }
      }
      guard size > Self.part else {
        guard let bytes = try await piece(0..<size) else { throw BlobError(.damaged, "\(path) has become shorter") }
        return try await put(bytes, as: name.key)
      }
      try await S3Upload(client: client, name: name).put(size, piece)
    }
  }

  private static func onDisk<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    do {
      return try await offLoop(body)
    } catch let error as SystemError {
      throw BlobError(.unavailable, "\(error)")
    }
  }

  private func put(_ bytes: ByteBuffer, as key: String) async throws {
    let hash = Data(Insecure.MD5.hash(data: bytes.readableBytesView))
    let answer = try await client.send(
      .init(
        method: .PUT, key: key,
        headers: [
          ("Content-MD5", hash.base64EncodedString()), ("Content-Type", "application/octet-stream"),
          ("If-None-Match", "*"),
        ],
        body: bytes))
    switch answer.status {
    case 200..<300: try S3Tag.check(answer, is: hash.hexText, of: key, in: place)
    // By somebody else, or by us: the answer to an attempt may have been lost.
    case 412: try await compare(key, bytes: Int64(bytes.readableBytes), tag: hash.hexText)
    default: throw BlobError(.refused, "\(place): it has no place for \(key) (\(answer.status))")
    }
  }

  /// That what is there is what was to be put.
  func compare(_ key: String, bytes: Int64, tag: String) async throws {
    let answer = try await client.send(.init(method: .HEAD, key: key))
    let size = answer.headers.first(name: "Content-Length").flatMap { Int64($0) }
    guard answer.status == 200, size == bytes, !S3Tag.isComparable(answer) || answer.tag == tag else {
      throw BlobError(
        .exists, "\(place)/\(key) is there already, and holds something else: does another collector use this prefix?")
    }
  }

  package func get(_ name: BlobName, _ range: Range<Int64>) async throws -> ByteBuffer {
    try BlobLimits.check(range, of: name)
    guard !range.isEmpty else {
      guard let size = try await size(of: name), size >= range.upperBound else { throw missing(name) }
      return ByteBuffer()
    }
    let answer = try await client.send(
      .init(
        method: .GET, key: name.key, headers: [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")],
        // Of an error as much as of what was asked for.
        most: max(range.count, 64 << 10)))
    switch answer.status {
    case 206 where answer.body.readableBytes == range.count: return answer.body
    // All of it, which is what was asked for.
    case 200 where range.lowerBound == 0 && answer.body.readableBytes == range.count: return answer.body
    case 200, 206, 404, 416: throw missing(name)
    default: throw BlobError(.refused, "\(place): it does not give \(name) (\(answer.status))")
    }
  }

  private func missing(_ name: BlobName) -> BlobError {
    BlobError(.missing, "\(place)/\(name) is missing, or shorter than it was")
  }

  package func size(of name: BlobName) async throws -> Int64? {
    let answer = try await client.send(.init(method: .HEAD, key: name.key))
    guard answer.status == 200 else { return nil }
    return answer.headers.first(name: "Content-Length").flatMap { Int64($0) }
  }

  package func remove(_ name: BlobName) async throws {
    _ = try await client.send(.init(method: .DELETE, key: name.key))
  }

  package func list(_ folder: BlobName.Folder, after name: BlobName?) async throws -> [BlobEntry] {
    let start = client.settings.key("\(folder.rawValue)/")
    var query = [("list-type", "2"), ("prefix", start), ("max-keys", "1000")]
    if let name { query.append(("start-after", client.settings.key(name))) }
    while true {
      let answer = try await client.send(.init(method: .GET, query: query))
      guard answer.status == 200 else { throw BlobError(.refused, "\(place): it cannot be listed (\(answer.status))") }
      let page = S3Document(answer.body.readableBytesView)
      let entries = page.all("Contents").compactMap { entry -> BlobEntry? in
        guard let key = entry.first("Key"), key.hasPrefix(start), let size = entry.first("Size").flatMap({ Int64($0) }),
          let name = BlobName(folder, String(key.dropFirst(start.count)))
        else { return nil }
        return BlobEntry(name: name, bytes: size)
      }
      // A page can be all of others' objects.
      guard entries.isEmpty, page.first("IsTruncated") == "true", let token = page.first("NextContinuationToken") else {
        return entries
      }
      query = query.filter { $0.0 != "start-after" && $0.0 != "continuation-token" } + [("continuation-token", token)]
    }
  }

  package func file(_ name: BlobName) -> String? { nil }

  /// Puts, reads and removes an object of its own.
  package func check() async throws {
    let key = "checks/\(BlobName.unique())"
    try await put(ByteBuffer(string: "automobile"), as: key)
    let answer = try await client.send(.init(method: .GET, key: key, headers: [("Range", "bytes=4-9")]))
    guard answer.status == 206, String(buffer: answer.body) == "mobile" else {
      throw BlobError(.refused, "\(place): what was put is not what is read: is this an S3 store, with range reads?")
    }
    // That a second one writes nothing over: some stores leave the condition out without a word.
    let again = try await client.send(
      .init(method: .PUT, key: key, headers: [("If-None-Match", "*")], body: ByteBuffer(string: "again")))
    _ = try await client.send(.init(method: .DELETE, key: key))
    guard again.status == 412 else {
      throw BlobError(
        .refused,
        "\(place): the store writes over what is there (it does not know If-None-Match): take a newer version of it")
    }
  }

  /// Ends uploads in parts that nobody goes on with: those of processes that died.
  package func tidy() async throws {
    try await S3Upload.endAbandoned(client, before: client.clock().addingTimeInterval(-7200))
  }
}

/// What `ETag` says of an object's content.
enum S3Tag {
  /// Where the store encrypts with a key of its own, it is something else than the MD5.
  static func isComparable(_ answer: S3Client.Answer) -> Bool {
    let encryption = answer.headers.first(name: "x-amz-server-side-encryption") ?? "AES256"
    return encryption == "AES256"
      && answer.headers.first(name: "x-amz-server-side-encryption-customer-algorithm") == nil
  }

  /// - Throws: ``BlobError`` when the store has something else than was sent.
  static func check(_ answer: S3Client.Answer, is tag: String, of key: String, in place: String) throws {
    guard isComparable(answer), let theirs = answer.tag, theirs != tag else { return }
    throw BlobError(.damaged, "\(place)/\(key) arrived as something else than was sent")
  }
}
