import AutoMobileState
import CPostgres

/// What a statement was answered with.
struct PostgresAnswer {
  /// `COMMIT`, `INSERT 0 1`.
  var command: String
  var rows: [StateRow]
  var changed: Int

  /// - Parameter result: of a statement that went well.
  init(_ result: OpaquePointer) {
    command = String(cString: pq_cmdStatus(result))
    changed = Int(String(cString: pq_cmdTuples(result))) ?? 0
    let columns = pq_nfields(result)
    let types = (0..<columns).map { pq_ftype(result, $0) }
    rows = (0..<pq_ntuples(result)).map { row in
      StateRow(
        (0..<columns).map { column in
          guard pq_getisnull(result, row, column) == 0 else { return .null }
          let text = UnsafeRawBufferPointer(
            start: pq_getvalue(result, row, column), count: Int(pq_getlength(result, row, column)))
          return StateValue(text, ofType: types[Int(column)])
        })
    }
  }
}

/// The types that are told apart, by their numbers in `pg_type`, which are fixed.
enum PostgresType {
  static let boolean: UInt32 = 16
  static let bytes: UInt32 = 17
  static let wholes: [UInt32] = [20, 21, 23, 26]
  static let reals: [UInt32] = [700, 701]
  static let numeric: UInt32 = 1700
}

extension StateValue {
  /// As the server writes values.
  fileprivate init(_ text: UnsafeRawBufferPointer, ofType type: UInt32) {
    switch type {
    case PostgresType.bytes: self = .bytes(Self.bytes(ofHex: text))
    case PostgresType.boolean: self = .integer(text.first == UInt8(ascii: "t") ? 1 : 0)
    default:
      let string = String(decoding: text, as: UTF8.self)
      self =
        switch type {
        case _ where PostgresType.wholes.contains(type): Int64(string).map { .integer($0) } ?? .text(string)
        case _ where PostgresType.reals.contains(type): Double(string).map { .real($0) } ?? .text(string)
        // What a sum of whole numbers is.
        case PostgresType.numeric:
          Int64(string).map { .integer($0) } ?? Double(string).map { .real($0) } ?? .text(string)
        default: .text(string)
        }
    }
  }

  /// Of `\x00ff`.
  private static func bytes(ofHex text: UnsafeRawBufferPointer) -> [UInt8] {
    func digit(_ byte: UInt8) -> UInt8 {
      byte < UInt8(ascii: "a") ? byte &- UInt8(ascii: "0") : byte &- UInt8(ascii: "a") &+ 10
    }
    return Array(unsafeUninitializedCapacity: max(0, text.count - 2) / 2) { bytes, count in
      for index in stride(from: 2, to: text.count - 1, by: 2) {
        bytes.initializeElement(at: count, to: digit(text[index]) << 4 | digit(text[index + 1]))
        count += 1
      }
    }
  }
}
