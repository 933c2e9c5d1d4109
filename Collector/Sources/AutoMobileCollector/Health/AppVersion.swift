/// An app in one version, as health is counted by.
struct AppVersion: Hashable, Comparable, Sendable {
  var bundleId: String
  var version: String

  init(_ bundleId: String?, _ version: String?) {
    self.bundleId = bundleId ?? ""
    self.version = version ?? ""
  }

  /// By app, then the newest version first: 1.10 before 1.9.
  static func < (left: AppVersion, right: AppVersion) -> Bool {
    if left.bundleId != right.bundleId { return left.bundleId < right.bundleId }
    return VersionOrder.compare(left.version, right.version) > 0
  }

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.member("bundleId", bundleId.isEmpty ? nil : bundleId)
    json.member("version", version.isEmpty ? nil : version)
  }
}

/// Which of two versions of an app is the later one.
enum VersionOrder {
  /// Number by number, text by text: "1.9" < "1.10" < "1.10.1", "2.0-beta" < "2.0".
  ///
  /// - Returns: negative, zero or positive.
  static func compare(_ left: String, _ right: String) -> Int {
    let (first, second) = (parts(left), parts(right))
    for index in 0..<max(first.count, second.count) {
      // What is missing counts as 0 beside a number, and as later beside a word: "2.0" comes after "2.0-beta".
      let a = first.indices.contains(index) ? first[index] : nil
      let b = second.indices.contains(index) ? second[index] : nil
      let order = compare(a, b)
      if order != 0 { return order }
    }
    return 0
  }

  private static func compare(_ left: Substring?, _ right: Substring?) -> Int {
    switch (left, right) {
    case (nil, nil): return 0
    case (nil, let right?): return -compare(right, nil)
    case (let left?, nil): return left.first?.isNumber == true ? (left.allSatisfy { $0 == "0" } ? 0 : 1) : -1
    case (let left?, let right?):
      switch (left.first?.isNumber == true, right.first?.isNumber == true) {
      case (true, true):
        let (a, b) = (left.drop { $0 == "0" }, right.drop { $0 == "0" })
        if a.count != b.count { return a.count < b.count ? -1 : 1 }
        return a == b ? 0 : a < b ? -1 : 1
      case (true, false): return 1
      case (false, true): return -1
      case (false, false): return left == right ? 0 : left < right ? -1 : 1
      }
    }
  }

  /// Runs of ASCII digits and runs of letters; everything else separates.
  private static func parts(_ version: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = version.prefix(100)
    while let first = rest.first {
      if isDigit(first) {
        parts.append(rest.prefix(while: isDigit))
        rest = rest.drop(while: isDigit)
      } else if first.isLetter {
        parts.append(rest.prefix { $0.isLetter })
        rest = rest.drop { $0.isLetter }
      } else {
        rest = rest.dropFirst()
      }
    }
    return parts
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
