import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// What every store of blobs has to do, whatever it is made of.
@Suite struct `A store of blobs` {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case folder, s3
    var testDescription: String { rawValue }
  }

  /// An empty one.
  private static func with(_ kind: Kind, _ body: (any BlobStore, TemporaryDirectory) async throws -> Void) async throws
  {
    let directory = try TemporaryDirectory()
    switch kind {
    case .folder: try await body(FolderBlobs(directory.url.appending(path: "data")), directory)
    case .s3: try await body(try await S3Server.shared.client(), directory)
    }
  }

  private static func name(_ file: String) throws -> BlobName { try #require(BlobName(.replays, file)) }

  private static func random(_ count: Int) throws -> ByteBuffer {
    let file = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
    return ByteBuffer(data: try #require(try file.read(upToCount: count)))
  }

  private static func kind(of body: () async throws -> Void) async -> BlobError.Kind? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? BlobError)?.kind
    }
  }

  @Test(arguments: Kind.allCases) func `gives back what was put, whole and in parts`(_ kind: Kind) async throws {
    try await Self.with(kind) { blobs, _ in
      try await blobs.check()
      let name = try Self.name("a.pack")
      #expect(try await blobs.size(of: name) == nil)
      let bytes = try Self.random(100_003)
      try await blobs.put(.bytes(bytes), as: name)
      #expect(try await blobs.size(of: name) == 100_003)
      #expect(try await blobs.get(name, 0..<100_003) == bytes)
      for range: Range<Int64> in [0..<1, 5..<5, 7..<99, 100_002..<100_003, 0..<0, 100_003..<100_003] {
        let expected = bytes.getSlice(at: Int(range.lowerBound), length: range.count)
        #expect(try await blobs.get(name, range) == expected, "\(range)")
      }
    }
  }

  @Test(arguments: Kind.allCases) func `says what is missing`(_ kind: Kind) async throws {
    try await Self.with(kind) { blobs, _ in
      let name = try Self.name("a.pack")
      #expect(await Self.kind { _ = try await blobs.get(name, 0..<1) } == .missing)
      #expect(await Self.kind { _ = try await blobs.get(name, 0..<0) } == .missing)
      try await blobs.put(.bytes(ByteBuffer(string: "ten bytes!")), as: name)
      for range: Range<Int64> in [0..<11, 9..<11, 10..<11, 500..<600, -1..<2, 0..<(BlobLimits.range + 1)] {
        #expect(await Self.kind { _ = try await blobs.get(name, range) } == .missing, "\(range)")
      }
    }
  }

  @Test(arguments: Kind.allCases) func `never writes over what is there`(_ kind: Kind) async throws {
    try await Self.with(kind) { blobs, _ in
      let name = try Self.name("a.pack")
      try await blobs.put(.bytes(ByteBuffer(string: "the first")), as: name)
      // The answer to a put may get lost: then the same comes again.
      try await blobs.put(.bytes(ByteBuffer(string: "the first")), as: name)
      for other in ["THE FIRST", "", "the first one"] {
        #expect(await Self.kind { try await blobs.put(.bytes(ByteBuffer(string: other)), as: name) } == .exists)
      }
      #expect(try await blobs.get(name, 0..<9) == ByteBuffer(string: "the first"))
    }
  }

  @Test(arguments: Kind.allCases) func `of many who put one name at a time, one wins`(_ kind: Kind) async throws {
    try await Self.with(kind) { blobs, _ in
      let name = try Self.name("a.pack")
      let kinds = try await withThrowingTaskGroup(of: BlobError.Kind?.self) { group in
        for number in 0..<12 {
          group.addTask {
            await Self.kind {
              try await blobs.put(.bytes(ByteBuffer(repeating: UInt8(number), count: 50_000)), as: name)
            }
          }
        }
        return try await group.reduce(into: [BlobError.Kind?]()) { $0.append($1) }
      }
      #expect(kinds.count { $0 == nil } == 1 && kinds.count { $0 == .exists } == 11, "\(kinds)")
      let bytes = try await blobs.get(name, 0..<50_000)
      #expect(Set(bytes.readableBytesView).count == 1)
    }
  }

  @Test(arguments: Kind.allCases) func `takes files that are larger than a part, and no half of one`(
    _ kind: Kind
  ) async throws {
    try await Self.with(kind) { blobs, directory in
      let size = Int(S3Blobs.part) * 2 + 12_345
      let bytes = try Self.random(size)
      let path = directory.url.appending(path: "large").path
      #expect(FileManager.default.createFile(atPath: path, contents: Data(buffer: bytes)))
      let name = try #require(BlobName(.symbols, "large.sym"))
      try await blobs.put(.file(path), as: name)
      try await blobs.put(.file(path), as: name)
      #expect(try await blobs.size(of: name) == Int64(size))
      #expect(try await blobs.get(name, 0..<Int64(size)) == bytes)
      // What becomes of the file afterwards is nothing to the blob.
      try FileManager.default.removeItem(atPath: path)
      #expect(try await blobs.get(name, 8_388_600..<8_388_620) == bytes.getSlice(at: 8_388_600, length: 20))
      #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 1, count: size)))
      #expect(await Self.kind { try await blobs.put(.file(path), as: name) } == .exists)
      #expect(await Self.kind { try await blobs.put(.file(path + "-gone"), as: name) } != nil)
      #expect(try await blobs.get(name, 0..<100) == bytes.getSlice(at: 0, length: 100))
      let other = try #require(BlobName(.symbols, "bytes.sym"))
      try await blobs.put(.bytes(bytes), as: other)
      #expect(try await blobs.get(other, 0..<Int64(size)) == bytes)
    }
  }

  @Test(arguments: Kind.allCases) func `removes, and removes again`(_ kind: Kind) async throws {
    try await Self.with(kind) { blobs, _ in
      let name = try Self.name("a.pack")
      let other = try Self.name("b.pack")
      for name in [name, other] { try await blobs.put(.bytes(ByteBuffer(string: "x")), as: name) }
      try await blobs.remove(name)
      try await blobs.remove(name)
      #expect(try await blobs.size(of: name) == nil)
      #expect(try await blobs.size(of: other) == 1)
      // The name is free again.
      try await blobs.put(.bytes(ByteBuffer(string: "another")), as: name)
      #expect(try await blobs.get(name, 0..<7) == ByteBuffer(string: "another"))
    }
  }

  @Test(arguments: Kind.allCases) func `lists everything once, in order, a page at a time`(_ kind: Kind) async throws {
    try await Self.with(kind) { blobs, _ in
      #expect(try await blobs.list(.replays, after: nil) == [])
      let names = try (0..<1040).map { try Self.name("\($0)-\($0 % 7).pack") }.sorted()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<16 {
          group.addTask {
            for index in stride(from: worker, to: names.count, by: 16) {
              try await blobs.put(.bytes(ByteBuffer(repeating: 1, count: index % 5)), as: names[index])
            }
          }
        }
        try await group.waitForAll()
      }
      try await blobs.put(.bytes(ByteBuffer(string: "x")), as: try #require(BlobName(.symbols, "other.sym")))
      var found: [BlobEntry] = []
      var pages = 0
      while case let page = try await blobs.list(.replays, after: found.last?.name), !page.isEmpty {
        found += page
        pages += 1
      }
      #expect(found.map(\.name) == names && pages == 2)
      #expect(found.enumerated().allSatisfy { $0.element.bytes == Int64($0.offset % 5) })
      #expect(try await blobs.list(.symbols, after: nil).map(\.name.file) == ["other.sym"])
    }
  }

  @Test func `names lead nowhere else`() {
    for file in [
      "", ".", "..", "../x", "a/b", "/etc/passwd", ".hidden", "-x", "a\0", "a b", "ä", "a%2F", "a\\b", "x.part",
      String(repeating: "a", count: 201),
    ] {
      #expect(BlobName(.replays, file) == nil, "\(file)")
    }
    for key in ["replays", "replays/", "/a", "index/a", "replays/a/b", "replays/../a", "../replays/a"] {
      #expect(BlobName(key: key) == nil, "\(key)")
    }
    #expect(BlobName(key: "replays/17.pack")?.file == "17.pack")
    #expect(BlobName(key: "symbols/4F-1c_a.sym")?.folder == .symbols)
  }
}
