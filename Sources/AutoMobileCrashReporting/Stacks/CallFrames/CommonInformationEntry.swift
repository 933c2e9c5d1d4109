/// The part of `.eh_frame` that many functions share.
struct CommonInformationEntry: Sendable {
  var codeAlignment: UInt64 = 1
  var dataAlignment: Int64 = 1
  var returnAddress = 0
  var pointers = PointerEncoding(rawValue: 0)
  var isSignalFrame = false
  /// Function entries say how long their augmentation is.
  var hasAugmentation = false
  /// The instructions that come before each function's own, as a range of the entry's bytes.
  var instructions: Range<Int> = 0..<0

  /// - Parameter bytes: the entry, with its length.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let _ = reader.u32(), reader.u32() == 0, let version = reader.byte(), [1, 3, 4].contains(version),
      let augmentation = reader.text(limit: 16)
    else { return nil }
    if version == 4 { guard reader.byte() == 8, reader.byte() == 0 else { return nil } }
    guard let code = reader.uleb128(), let data = reader.sleb128(),
      let column = version == 1 ? reader.byte().map(UInt64.init) : reader.uleb128(),
      column < UInt64(clamping: CallFrameRow.registers)
    else { return nil }
    codeAlignment = code
    dataAlignment = data
    returnAddress = Int(clamping: column)
    if !augmentation.isEmpty {
      guard augmentation.hasPrefix("z"), let length = reader.uleb128(), let data = reader.take(length),
        readAugmentation(augmentation.dropFirst(), ByteReader(bytes, data))
      else { return nil }
      hasAugmentation = true
    }
    instructions = reader.offset..<reader.end
  }

  private mutating func readAugmentation(_ letters: Substring, _ reader: ByteReader) -> Bool {
    var reader = reader
    for letter in letters {
      switch letter {
      case "R":
        guard let encoding = reader.byte() else { return false }
        pointers = PointerEncoding(rawValue: encoding)
      case "L": guard reader.byte() != nil else { return false }
      case "P":
        // Of the personality routine only the length matters, and not whether it is indirect.
        guard let encoding = reader.byte(),
          PointerEncoding(rawValue: encoding & 0x0F).readLength(&reader) != nil
        else { return false }
      case "S": isSignalFrame = true
      // Pointer authentication with the B key, and tagged memory: neither has data.
      case "B", "G": break
      default: return false
      }
    }
    return true
  }
}
