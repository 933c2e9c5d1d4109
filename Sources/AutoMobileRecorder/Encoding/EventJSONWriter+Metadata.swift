/// Values that are any JSON.
extension EventJSONWriter {
  /// Writes a value that lies `depth` levels below the event's object, and a comma. Deeper than
  /// ``MetadataValue/maximumDepth``, arrays and objects become null: the depth is the app's, the stack is ours.
  mutating func value(_ value: MetadataValue, depth: Int) {
    switch value {
    case .string(let string): return self.value(string, then: UInt8(ascii: ","))
    case .int(let int): self.value(int)
    case .double(let double): self.value(double)
    case .bool(let bool): if bool { raw("true") } else { raw("false") }
    case .null: raw("null")
    case .array(let array):
      guard depth < MetadataValue.maximumDepth else { return raw("null,") }
      raw("[")
      for index in array.indices { self.value(array[index], depth: depth + 1) }
      closeFrame(UInt8(ascii: "]"))
    case .object(let object):
      guard depth < MetadataValue.maximumDepth else { return raw("null,") }
      return self.value(object, depth: depth)
    }
    comma()
  }

  /// Writes an object that lies `depth` levels below the event's, and a comma.
  mutating func value(_ object: [String: MetadataValue], depth: Int) {
    raw("{")
    for (key, value) in object {
      self.value(key, then: UInt8(ascii: ":"))
      self.value(value, depth: depth + 1)
    }
    closeFrame(UInt8(ascii: "}"))
    comma()
  }
}
