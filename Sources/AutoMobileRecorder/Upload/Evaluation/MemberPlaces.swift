/// Where the members of an event stand, found once, as far as somebody has asked: what is asked next goes over places, not over bytes.
///
/// Used for one event after the other, so that none needs memory. Members behind the first ``most`` are walked to each time.
final class MemberPlaces {
  /// The members that are remembered. Events of the SDK have some ten, requests up to thirty.
  static let most = 32

  private let found: UnsafeMutablePointer<EventBytes.Member>
  private var count = 0
  /// There is no further member; behind what is no JSON nobody looks for one.
  private var hasEnded = false
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Walks to what is behind those that are remembered.
  private(set) var rest = EventBytes.Members(UnsafeRawBufferPointer(start: nil, count: 0), 0..<0)

  init() {
    found = .allocate(capacity: Self.most)
    found.initialize(repeating: (0..<0, 0..<0), count: Self.most)
  }

  deinit { found.deallocate() }

  /// Forgets the event before.
  func begin(_ bytes: UnsafeRawBufferPointer) {
    (count, hasEnded) = (0, false)
    self.bytes = bytes
    rest = EventBytes.Members(bytes, 0..<bytes.count)
  }

  /// A member by its number, below ``most``; nil when there are not so many.
  subscript(number: Int) -> EventBytes.Member? {
    while count <= number { if !findNext() { return nil } }
    return found[number]
  }

  /// The value of the first member of a name.
  @inline(never)
  func value(of name: UnsafeRawBufferPointer) -> EventBytes.Place? {
    for number in 0..<count where isNamed(found[number], name) { return found[number].value }
    while count < Self.most {
      guard findNext() else { return nil }
      if isNamed(found[count - 1], name) { return found[count - 1].value }
    }
    var rest = rest
    while let member = rest.next() { if isNamed(member, name) { return member.value } }
    return nil
  }

  @inline(never)
  private func findNext() -> Bool {
    guard !hasEnded else { return false }
    guard let member = rest.next() else {
      hasEnded = true
      return false
    }
    found[count] = member
    count += 1
    return true
  }

  private func isNamed(_ member: EventBytes.Member, _ name: UnsafeRawBufferPointer) -> Bool {
    let place = member.name
    guard place.count == name.count else { return false }
    for offset in 0..<name.count where bytes[place.lowerBound + offset] != name[offset] { return false }
    return true
  }
}
