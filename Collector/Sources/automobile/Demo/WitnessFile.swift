import Foundation

/// The demo app's own count of the recording calls that returned: little-endian counters, one in each 64 bytes.
struct WitnessFile: Equatable {
  let url: URL

  /// Makes it empty, before the app starts.
  func create() throws {
    try Data(count: 16 * 64).write(to: url)
  }

  /// The sum over the app's threads.
  func returnedCalls() throws -> Int { try counters().reduce(0, +) }

  /// Sixteen, whatever is missing of the file.
  func counters() throws -> [Int] {
    let data = try Data(contentsOf: url)
    let counters = stride(from: 0, to: data.count - 7, by: 64).map { offset in
      Int(data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) })
    }
    return counters + Array(repeating: 0, count: max(0, 16 - counters.count))
  }
}
