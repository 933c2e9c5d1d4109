/// An event's JSON as it stands in the journal, looked into without decoding it: nothing is allocated, but for texts with escapes and
/// numbers that are no whole ones.
///
/// What is no JSON has no members. Work is bounded by the length: nothing recurses, and a member is looked for once from the
/// beginning.
struct EventBytes {
  /// Where a value stands in the bytes; a string with its quotes.
  typealias Place = Range<Int>
  typealias Member = (name: Place, value: Place)

  let bytes: UnsafeRawBufferPointer
  private let places: MemberPlaces?

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    places = nil
  }

  /// An event that is asked for several of its members.
  ///
  /// - Parameter places: remembers where they stand, until it is given to the next event: this one must not be asked any more then.
  init(_ bytes: UnsafeRawBufferPointer, remembering places: MemberPlaces) {
    self.bytes = bytes
    self.places = places
    places.begin(bytes)
  }

  /// The value of a member of the whole, or of an object in it.
  ///
  /// - Parameters:
  ///   - name: as it stands in the JSON.
  ///   - object: where the object stands; nil: the whole.
  func member(_ name: [UInt8], of object: Place? = nil) -> Place? {
    name.withUnsafeBytes { member($0, of: object) }
  }

  func member(_ name: RuleText) -> Place? { member(name.bytes, of: nil) }

  @inline(never)
  private func member(_ name: UnsafeRawBufferPointer, of object: Place?) -> Place? {
    if object == nil, let places { return places.value(of: name) }
    var members = Members(bytes, object ?? 0..<bytes.count)
    while let member = members.next() {
      if equal(member.name, name) { return member.value }
    }
    return nil
  }

  /// The value of a member by its path: `properties.plan`. Where several ways of reading it lead to a value, the first in the JSON is
  /// taken.
  func value(at path: [UInt8]) -> Place? { path.withUnsafeBytes { value(at: $0) } }

  func value(at path: RuleText) -> Place? { value(at: path.bytes) }

  @inline(never)
  private func value(at path: UnsafeRawBufferPointer) -> Place? {
    guard path.contains(UInt8(ascii: ".")) else { return member(path, of: nil) }
    // What is left of the path, and where. Each step goes into an object, so there are no more than the path has dots.
    var members = MemberWalk(bytes, places)
    var rest = path[...]
    while true {
      var inner: (value: Place, rest: Slice<UnsafeRawBufferPointer>)?
      while let member = members.next() {
        if equal(member.name, rest) { return member.value }
        let length = member.name.count
        if inner == nil, length < rest.count, rest[rest.startIndex + length] == UInt8(ascii: "."),
          equal(member.name, rest.prefix(length)), bytes[member.value.lowerBound] == UInt8(ascii: "{")
        {
          inner = (member.value, rest.dropFirst(length + 1))
        }
      }
      guard let inner else { return nil }
      members = MemberWalk(bytes, inner.value)
      rest = inner.rest
    }
  }

  private func equal(_ place: Place, _ other: some Collection<UInt8>) -> Bool {
    place.count == other.count && bytes[place].elementsEqual(other)
  }
}
