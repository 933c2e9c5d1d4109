import Foundation
import Testing

@testable import AutoMobileJournal

/// A directory of a test's own.
struct TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  func names(suffix: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).filter { $0.hasSuffix(suffix) }.sorted()
  }
}

extension JournalOptions {
  /// Small segments, one instance, no floor: what most tests want.
  static func small(_ directory: TemporaryDirectory, owner: String = "test") -> JournalOptions {
    var options = JournalOptions(directory: directory.url, owner: owner)
    options.segmentSize = 16 * 1024
    options.budget = 1 << 20
    options.freeDiskFloor = 0
    options.singleInstance = true
    return options
  }
}

extension Journal {
  @discardableResult
  func append(_ text: String, _ kind: RecordKind = .event) -> UInt64? {
    var text = text
    return text.withUTF8 { append(kind, UnsafeRawBufferPointer($0)) }
  }

  /// Reads and acknowledges everything that can be read now; the payloads as text.
  func drain(_ launch: LaunchID, maximumBytes: Int = 8 * 1024, maximumRecords: Int = 100) -> [String] {
    var texts: [String] = []
    while let chunk = read(launch, maximumBytes: maximumBytes, maximumRecords: maximumRecords) {
      texts += chunk.records.map { String(decoding: chunk.bytes[$0.payload], as: UTF8.self) }
      acknowledge(launch, upTo: chunk.to)
    }
    return texts
  }

  /// Appends again until there is room; for tests that write faster than the keeper.
  func appendSurely(_ text: String, _ kind: RecordKind = .event) {
    let deadline = Date() + 90
    while append(text, kind) == nil, Date() < deadline { usleep(200) }
  }
}

extension LaunchLedger {
  /// Nothing is unaccounted for, against what was seen to arrive.
  func isExact(delivered: Int) -> Bool {
    recorded == UInt64(delivered) + dropped.values.reduce(0, +)
  }
}

/// Polls until something is so.
func eventually(within seconds: TimeInterval = 60, _ condition: () -> Bool) -> Bool {
  let deadline = Date() + seconds
  while !condition() {
    guard Date() < deadline else { return false }
    usleep(2000)
  }
  return true
}

/// As in an app that has used up its descriptors: nothing can be opened. Who may do everything is not held back by permissions.
func withoutFiles(_ body: () throws -> Void) throws {
  var limit = rlimit()
  #if canImport(Glibc)
  let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  let files = RLIMIT_NOFILE
  #endif
  try #require(getrlimit(files, &limit) == 0)
  let next = open("/dev/null", O_RDONLY)
  close(next)
  var none = limit
  none.rlim_cur = rlim_t(next)
  try #require(setrlimit(files, &none) == 0)
  defer { setrlimit(files, &limit) }
  try body()
}
