import AutoMobileState
import CPostgres

/// Values as libpq takes them: bytes as they are, all else as text, whose type the server finds in the statement.
struct PostgresParameters {
  private let storage: [[UInt8]?]
  private let types: [UInt32]
  private let formats: [Int32]

  init(_ values: [StateValue]) {
    storage = values.map { value in
      switch value {
      case .null: nil
      case .integer(let number): Array(String(number).utf8) + [0]
      // What SQLite makes of it.
      case .real(let number) where number.isNaN: nil
      case .real(let number): Array(String(number).utf8) + [0]
      case .text(let text): Array(text.utf8) + [0]
      case .bytes(let bytes): bytes + [0]
      }
    }
    types = values.map { if case .bytes = $0 { PostgresType.bytes } else { 0 } }
    formats = values.map { if case .bytes = $0 { 1 } else { 0 } }
  }

  /// - Returns: false when it could not be sent.
  func send(_ text: String, on connection: OpaquePointer) -> Bool {
    // One buffer for all, so that their addresses hold until they are sent.
    var all: [UInt8] = []
    all.reserveCapacity(storage.reduce(1) { $0 + ($1?.count ?? 0) })
    var offsets: [Int?] = []
    for bytes in storage {
      offsets.append(bytes.map { _ in all.count })
      all += bytes ?? []
    }
    all.append(0)
    let lengths = storage.map { Int32(($0?.count ?? 1) - 1) }
    return all.withUnsafeBytes { bytes in
      let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      let values = offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }
      return pq_sendQueryParams(connection, text, Int32(values.count), types, values, lengths, formats, 0) == 1
    }
  }
}
