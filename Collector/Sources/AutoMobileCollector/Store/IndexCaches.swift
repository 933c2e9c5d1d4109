import AutoMobileJournal

/// Row numbers that the indexer has looked up. Only committed ones survive a transaction that failed: then all is
/// forgotten. Bounded: when too much is remembered, everything is forgotten.
struct IndexCaches {
  /// A name that an app gave, and whose it is.
  struct Named<Name: Hashable>: Hashable {
    /// The owner's row.
    let owner: Int64
    let name: Name
  }

  struct Launch {
    let row: Int64
    /// As the app calls it.
    let name: String
    /// With the projects as they are at the delivery at hand.
    var owner: Owner
    /// The contexts that the launch has told, by their number.
    var contexts: [Int64: Context] = [:]
    /// The context that its last context record named: for records that name none.
    var current: Context?
    /// The session of events without one.
    var fallbackSession: Int64?
    /// Up to here events may have been deleted; nil: none were.
    var expired: Int64?
  }

  struct Owner {
    let row: Int64
    let owner: DataOwner

    /// The apps that are projects: their data is theirs, also when another project's name begins like it.
    var projects: Set<String> = []

    /// Of what was indexed before there were owners.
    static let unknown = Owner(row: 0, owner: .app(nil))

    /// What the app may call itself: what it says, if that is its own, else its owner.
    func bundle(_ claims: String?...) -> String? {
      claims.lazy.compactMap(\.self).first(where: admits) ?? owner.bundleId
    }

    func admits(_ bundle: String) -> Bool { owner.admits(bundle, among: projects) }

    /// The app in whose sums it counts: what came out of a file is counted by itself, whatever it says.
    func countedBundle(_ claims: String?...) -> String? {
      let claim = claims.lazy.compactMap(\.self).first(where: admits)
      return owner.isFile ? "\(claim ?? "")@\(owner.label)" : claim ?? owner.bundleId
    }
  }

  struct Context {
    let row: Int64
    /// nil: the context names no session.
    let session: Int64?
    /// Its contents were erased: what names it is dropped.
    var isErased = false
    /// It is of somebody who was erased: what began before that is dropped.
    var mark: ErasureMarks.Mark?
  }

  var owners: [DataOwner: Int64] = [:]
  var launches: [Named<LaunchID>: Launch] = [:]
  var sessions: [Named<String>: Int64] = [:]
  var types: [String: Int64] = [:]

  mutating func forgetIfLarge() {
    if launches.count > 4096 || launches.values.reduce(0, { $0 + $1.contexts.count }) > 100_000 { launches = [:] }
    if sessions.count > 20_000 { sessions = [:] }
    if owners.count > 4096 { owners = [:] }
    if types.count > 4096 { types = [:] }
  }
}
