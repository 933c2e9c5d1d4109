/// Counts the entries of an HTTP archive while it passes by in pieces, so that nobody has to hold it.
///
/// An entry is an object in the fourth place: `{"log":{…,"entries":[{`. Inside texts braces mean nothing.
struct HAREntryCount {
  private(set) var count = 0
  private var depth = 0
  private var isInText = false
  private var isEscaped = false

  mutating func read(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "{"):
        depth += 1
        // The archive, its log, the list: the fourth is an entry, for the list of pages is empty.
        if depth == 4 { count += 1 }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
  }
}
