/// What ``Story`` holds, counted by its own rules, so that a question whose answer is empty is no figure.
extension Story {
  static func user(_ session: Int) -> String { "user\(session % 300)@example.com" }
  static func word(_ index: Int, _ session: Int) -> String { words[(index + session) % words.count] }
  static func isLog(_ index: Int) -> Bool { index > 0 && index % 100 < 35 }
  static func isRequest(_ index: Int) -> Bool { (35..<55).contains(index % 100) }
  static func isHang(_ index: Int) -> Bool { index % 2000 == 95 }
  static func isFailure(_ index: Int) -> Bool { index % 1000 == 96 }
  /// One event in a thousand, and a log.
  static func isDeclined(_ index: Int) -> Bool { index % 1000 == 17 }
  static func host(_ index: Int) -> String { index % 3 == 0 ? "img.roastery.example" : "api.roastery.example" }
  static func status(_ index: Int) -> Int { index % 211 == 0 ? 503 : 200 }
  static func isFailedOfAPI(_ index: Int) -> Bool {
    isRequest(index) && status(index) == 503 && host(index).hasPrefix("api")
  }
  static func isCheckout(_ index: Int) -> Bool { isRequest(index) && index % 100 == 50 }
  /// Its last event.
  static func crashes(_ session: Int) -> Bool { session % 25 == 0 }

  // `isRequest` and its like take the number of an event in its session; the first is the launch.
  func countSessions(_ isMeant: (Int) -> Bool) -> Int { (0..<sessions).count(where: isMeant) }

  func count(in session: Int, _ isMeant: (Int) -> Bool) -> Int {
    let share = share(of: session)
    return (0..<share).count { isMeant($0) && !(Self.crashes(session) && $0 == share - 1) }
  }

  func count(_ isMeant: (Int) -> Bool) -> Int { (0..<sessions).reduce(0) { $0 + count(in: $1, isMeant) } }

  /// The newest session that ends with one. Its number begins no other session's.
  var lastCrash: Int { (0..<sessions).last(where: Self.crashes) ?? 0 }

  /// Of crashes twelve functions, of hangs and failures a function for each word.
  var issues: Int {
    let crashes = Set((0..<sessions).filter(Self.crashes).map { $0 % 12 }).count
    return crashes + functions(Self.isHang).count + functions(Self.isFailure).count
  }

  private func functions(_ isMeant: (Int) -> Bool) -> Set<String> {
    var words = Set<String>()
    for session in 0..<sessions {
      for index in 0..<share(of: session) where isMeant(index) { words.insert(Self.word(index, session)) }
    }
    return words
  }
}
