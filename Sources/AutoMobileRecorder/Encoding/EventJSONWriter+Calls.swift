/// The members of events that are rare or large, or that wait for the disk or a network anyway: called, where
/// `member` is written out for each, which saves the frequent events some nanoseconds and costs two hundred bytes a member.
extension EventJSONWriter {
  @inline(never)
  mutating func add(_ key: StaticString, _ value: String?) { member(key, value) }

  @inline(never)
  mutating func add(_ key: StaticString, _ value: Int64?) { member(key, value) }

  @inline(never)
  mutating func add(_ key: StaticString, _ value: Int?) { member(key, value) }

  @inline(never)
  mutating func add(_ key: StaticString, _ value: [String: String]?) { member(key, value) }
}
