extension EventBytes {
  /// Goes through the members of an object, in order; ends at what is no JSON.
  struct Members {
    private let bytes: UnsafeRawBufferPointer
    private var at: Int
    private let end: Int
    private var isFirst = true

    init(_ bytes: UnsafeRawBufferPointer, _ object: Place) {
      self.bytes = bytes
      at = object.lowerBound
      end = object.upperBound
    }

    mutating func next() -> Member? {
      skipSpace()
      guard take(isFirst ? UInt8(ascii: "{") : UInt8(ascii: ",")) else { return nil }
      isFirst = false
      skipSpace()
      guard at < end, bytes[at] == UInt8(ascii: "\""), let name = JSONBytes.end(ofString: bytes, at, end) else {
        return nil
      }
      // Without its quotes.
      let place = at + 1..<name - 1
      at = name
      skipSpace()
      guard take(UInt8(ascii: ":")) else { return nil }
      skipSpace()
      guard let value = JSONBytes.end(ofValue: bytes, at, end) else { return nil }
      defer { at = value }
      return (place, at..<value)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard at < end, bytes[at] == byte else { return false }
      at += 1
      return true
    }

    private mutating func skipSpace() {
      while at < end, JSONBytes.isSpace(bytes[at]) { at += 1 }
    }
  }
}

/// The members of an event, in order: those whose places are remembered, then the others.
struct MemberWalk {
  private let places: MemberPlaces?
  private var number = 0
  private var rest: EventBytes.Members

  init(_ bytes: UnsafeRawBufferPointer, _ places: MemberPlaces?) {
    self.places = places
    rest = EventBytes.Members(bytes, 0..<bytes.count)
  }

  /// Those of an object in it.
  init(_ bytes: UnsafeRawBufferPointer, _ object: EventBytes.Place) {
    places = nil
    rest = EventBytes.Members(bytes, object)
  }

  mutating func next() -> EventBytes.Member? {
    guard let places, number < MemberPlaces.most else { return rest.next() }
    defer {
      number += 1
      if number == MemberPlaces.most { rest = places.rest }
    }
    return places[number]
  }
}
