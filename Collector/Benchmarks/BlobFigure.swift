import AutoMobileCollector
import Foundation
import NIOCore

/// Blobs put and read: `collector-bench blobs [--blobs s3://…] [--packs N]`. Without a place in a folder.
enum BlobFigure {
  /// As large as packs are, and as what of one is read at once.
  private static let pack = 4 << 20
  private static let range: Int64 = 64 << 10

  static func run(_ place: String?, packs given: String?) async throws {
    let count = given.flatMap { Int($0) } ?? 64
    let directory = URL(filePath: NSTemporaryDirectory()).appending(path: "bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let blobs: any BlobStore
    if let place, case .s3(let settings) = try BlobPlace(place) {
      blobs = try S3Blobs(settings, keys: .find())
    } else {
      blobs = FolderBlobs(directory)
    }
    try await blobs.check()
    let packs = try (0..<count).map { number in
      guard let name = BlobName(.replays, "bench-\(number).pack") else { throw Failure("no name") }
      return (name: name, bytes: content(number))
    }
    let put = try await times(packs.map(\.name)) { name, number in
      try await blobs.put(.bytes(packs[number].bytes), as: name)
    }
    var found = 0
    let whole = try await times(packs.map(\.name)) { name, number in
      guard try await blobs.get(name, 0..<Int64(pack)) == packs[number].bytes else {
        throw Failure("\(name) is another")
      }
      found += 1
    }
    let ranges = try await times((0..<16 * count).map { packs[$0 % count].name }) { name, number in
      let start = Int64(number * 7919 % (pack - Int(range)))
      let expected = packs[number % count].bytes.getSlice(at: Int(start), length: Int(range))
      guard try await blobs.get(name, start..<start + range) == expected else {
        throw Failure("\(name) has another range")
      }
    }
    for pack in packs { try await blobs.remove(pack.name) }
    guard found == count, try await blobs.list(.replays, after: nil).isEmpty else { throw Failure("something is left") }
    print(
      """
      Blobs in \(place == nil ? "a folder" : "an S3 store"), \(count) of \(pack >> 20) MB, one at a time
        put                 \(line(put, bytes: pack))
        read whole          \(line(whole, bytes: pack))
        read 64 KB of one   \(line(ranges, bytes: Int(range)))
      """)
  }

  /// No two are alike, and none compresses.
  private static func content(_ number: Int) -> ByteBuffer {
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    var buffer = ByteBufferAllocator().buffer(capacity: pack)
    for _ in 0..<(pack / 8) {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      buffer.writeInteger(state)
    }
    return buffer
  }

  private static func times(
    _ names: [BlobName], _ body: (BlobName, Int) async throws -> Void
  ) async throws -> [Double] {
    var times: [Double] = []
    for (number, name) in names.enumerated() {
      let start = ContinuousClock.now
      try await body(name, number)
      times.append((ContinuousClock.now - start) / .seconds(1))
    }
    return times.sorted()
  }

  private static func line(_ times: [Double], bytes: Int) -> String {
    func text(_ seconds: Double) -> String { "\((seconds * 100_000).rounded() / 100) ms" }
    let rate = Double(bytes * times.count) / times.reduce(0, +) / 1_000_000
    return "median \(text(times[times.count / 2])), p99 \(text(times[times.count * 99 / 100])), \(Int(rate)) MB/s"
  }
}
