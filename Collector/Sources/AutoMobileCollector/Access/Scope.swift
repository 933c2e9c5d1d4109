/// What a reader may see. The functions that read ask for one, and nothing but the ``Doorkeeper``, at the end of this file,
/// can make it.
struct ReadScope: Sendable {
  /// Who waits for the answer: reading ends when they do not any more.
  let client: ClientPresence
  let reach: DataReach
  private let projects: ProjectStore

  fileprivate init(client: ClientPresence, reach: DataReach, projects: ProjectStore) {
    self.client = client
    self.reach = reach
    self.projects = projects
  }

  var seesEverything: Bool { reach == .everything }

  /// Whether it sees what belongs to an app. For what is in memory: the index has its wall (``ProjectWall``).
  func sees(_ bundle: String?) -> Bool { sees(projects.owner(of: bundle)) }

  func sees(_ owner: DataOwner) -> Bool {
    switch reach {
    case .everything: true
    case .projects(let own): owner.bundleId.map(own.contains) ?? false
    }
  }

  /// What a store of rows with their owners' names shows it; nil: everything. The index has its own (``ProjectWall``).
  var wall: OwnerWall? {
    switch reach {
    case .everything: nil
    case .projects(let own): OwnerWall(of: own, among: projects.apps)
    }
  }

  /// - Throws: ``APIError`` 403 when it sees some projects only.
  func whole() throws -> ReadScope {
    guard seesEverything else { throw Doorkeeper.notWhole }
    return self
  }
}

/// What an operator may change.
struct OperatorScope: Sendable {
  /// An operator sees what a reader sees.
  let reading: ReadScope

  /// Whether it is for everything: also for who else gets in. An operator of all projects is for each of them, and not that.
  let decidesEverything: Bool

  fileprivate init(reading: ReadScope, decidesEverything: Bool? = nil) {
    self.reading = reading
    self.decidesEverything = decidesEverything ?? reading.seesEverything
  }

  /// - Throws: ``APIError`` 403 when an app is outside of what it may change, whether or not there is such an app.
  func check(_ bundle: String?) throws {
    guard reading.sees(bundle) else {
      throw APIError(.forbidden, "other_project", "this key is for another project")
    }
  }
}

/// The apps for which somebody delivers.
struct AppScope: Sendable {
  enum Reach: Sendable {
    case all
    /// The app of a project, and its extensions, whose names begin with the app's.
    case project(String)
    case one(DeliveringApp)
  }

  private let reach: Reach
  private let projects: ProjectStore
  private let meter: Meter?

  /// Where what its key delivers is counted.
  struct Meter: Sendable {
    fileprivate var meters: DeliveryMeters
    fileprivate var key: Int64
  }

  fileprivate init(_ reach: Reach, _ projects: ProjectStore, _ meter: Meter? = nil) {
    self.reach = reach
    self.projects = projects
    self.meter = meter
  }

  /// Counts a body that has been read, before it is kept.
  ///
  /// - Throws: ``APIError`` 429 when its launch has delivered what it may.
  func took(_ bytes: Int, of app: DeliveringApp? = nil, launch: String? = nil) throws {
    guard let meter else { return }
    try meter.meters.take(bytes, key: meter.key, owner: app?.owner ?? meteredOwner, launch: launch)
  }

  /// The app that a request names, or the only one that it can mean when it names none.
  ///
  /// - Throws: ``APIError`` 403 when it is another app than the one that the key or the token is for.
  func app(_ bundle: String?) throws -> DeliveringApp {
    let bundle = try Self.checked(bundle)
    switch reach {
    case .all: return DeliveringApp(owner: projects.owner(of: bundle), bundleId: bundle)
    case .project(let own):
      let owner = DataOwner.app(own)
      guard let bundle else { return DeliveringApp(owner: owner, bundleId: own) }
      guard projects.owner(of: bundle) == owner else {
        throw APIError(.forbidden, "wrong_app", "this key is for \(own), not for \(bundle)")
      }
      return DeliveringApp(owner: owner, bundleId: bundle)
    case .one(let app):
      guard bundle == nil || bundle == app.bundleId else {
        throw APIError(
          .forbidden, "wrong_app",
          "this token is for \(app.bundleId ?? "an app without a name"), not for \(bundle ?? "")")
      }
      return app
    }
  }
}

extension AppScope {
  /// By which what its key has under way is counted; nil for whoever delivers for all apps.
  var share: String? {
    switch reach {
    case .all: nil
    case .project(let bundle): DataOwner.app(bundle).name
    case .one(let app): app.owner.name
    }
  }

  /// Whose day's bytes are counted; nil for whoever delivers for all apps.
  var meteredOwner: DataOwner? {
    switch reach {
    case .all: nil
    case .project(let bundle): .app(bundle)
    case .one(let app): app.owner
    }
  }

  /// Whose an answer may be; nil: anybody's, since who may deliver for all apps has named none.
  func owner(_ bundle: String?) throws -> DataOwner? {
    if case .all = reach, bundle == nil { return nil }
    return try app(bundle).owner
  }

  /// Apps are known by many names; only what cannot be one is refused. Nothing is no name.
  private static func checked(_ bundle: String?) throws -> String? {
    guard let bundle, !bundle.isEmpty else { return nil }
    guard bundle.utf8.count <= DataOwner.longestBundle, !bundle.hasControlCharacters else {
      throw APIError.badRequest("invalid_bundle", "a bundle id has 1 to 200 characters and no control characters")
    }
    return bundle
  }
}

/// An app that delivers, or asks for something of its own.
struct DeliveringApp: Sendable, Hashable {
  /// Under whose name its data is kept.
  let owner: DataOwner
  let bundleId: String?
}

// MARK: Who gets one

extension Doorkeeper {
  func readScope(of visitor: Visitor, on client: ClientPresence) throws -> ReadScope {
    switch visitor {
    case .key(let key) where key.role == .ingest:
      throw APIError(
        .forbidden, "ingest_only", "a project key delivers events; reading requires a viewer key")
    case .device:
      throw APIError(.forbidden, "upload_only", "an upload token is valid for uploading replays only")
    case .person(let session):
      guard let reach = session.person.reach(.viewer) else {
        throw APIError(.forbidden, "not_viewer", "nothing has been granted to \(session.person.name)")
      }
      return ReadScope(client: client, reach: reach, projects: projects)
    case .key(let key): return try ReadScope(client: client, reach: Self.reach(of: key), projects: projects)
    case .starter: break
    case .nobody, .stranger: if asksForKeys { throw Self.noKey(visitor, "ingest") }
    }
    return ReadScope(client: client, reach: .everything, projects: projects)
  }

  /// Somebody who sees everything, not some projects.
  func fullReadScope(of visitor: Visitor, on client: ClientPresence) throws -> ReadScope {
    try readScope(of: visitor, on: client).whole()
  }

  /// A key that was made for a project never sees more, also when the project is gone.
  private static func reach(of key: AccessKey) throws -> DataReach {
    guard key.project != nil else { return .everything }
    guard let bundle = key.bundleId else { throw noKey(.stranger, key.role.rawValue) }
    return .projects([bundle])
  }

  fileprivate static var notWhole: APIError {
    APIError(
      .forbidden, "project_only",
      "this is of the whole collector, and you may see some projects: it takes a key, or a role, for all")
  }

  /// Somebody who may change everything.
  func operatorScope(of visitor: Visitor, on client: ClientPresence) throws -> OperatorScope {
    let scope = try projectOperatorScope(of: visitor, on: client)
    if let person = visitor.session?.person, !scope.decidesEverything {
      throw APIError(.forbidden, "not_operator", "this requires an admin, and \(person.name) is signed in as less")
    }
    return OperatorScope(reading: try scope.reading.whole())
  }

  /// Somebody who may change everything, or what belongs to a project: what is asked for is to be checked.
  func projectOperatorScope(of visitor: Visitor, on client: ClientPresence) throws -> OperatorScope {
    switch visitor {
    case .key(let key) where key.role == .operator:
      return try OperatorScope(
        reading: ReadScope(client: client, reach: Self.reach(of: key), projects: projects))
    case .starter(isOperator: true): break
    case .person(let session):
      let person = session.person
      guard let reach = person.reach(.operator) else {
        throw APIError(
          .forbidden, "not_operator", "this requires an operator, and \(person.name) is signed in as less")
      }
      return OperatorScope(
        reading: ReadScope(client: client, reach: reach, projects: projects), decidesEverything: person.isAdmin)
    case .key, .device:
      throw APIError(.forbidden, "not_operator", "this requires an operator key")
    case .starter, .nobody, .stranger:
      if !operatorKeys.isEmpty { throw Self.noKey(visitor, "operator") }
      guard !isReachable else {
        throw APIError(
          .forbidden, "no_operator_key",
          "this collector can be reached from other machines, so changing anything requires an operator key: "
            + "start it with --operator-key-file")
      }
      if case .starter = visitor { break }
      if asksForKeys { throw Self.noKey(visitor, "ingest") }
    }
    return OperatorScope(reading: ReadScope(client: client, reach: .everything, projects: projects))
  }

  func appScope(of visitor: Visitor, takesTokens: Bool) throws -> AppScope {
    switch visitor {
    case .device(let claim):
      guard takesTokens else {
        throw APIError(.forbidden, "upload_only", "an upload token is valid for uploading replays only")
      }
      return AppScope(.one(claim.app), projects, meter(of: visitor))
    case .key(let key):
      switch key.role {
      case .ingest:
        guard let bundle = key.bundleId else { throw Self.noKey(.stranger, "ingest") }
        return AppScope(.project(bundle), projects, meter(of: visitor))
      case .operator:
        switch try Self.reach(of: key) {
        case .everything: return AppScope(.all, projects, meter(of: visitor))
        case .projects(let own):
          guard let bundle = own.first else { throw Self.noKey(.stranger, "operator") }
          return AppScope(.project(bundle), projects, meter(of: visitor))
        }
      case .viewer:
        throw APIError(.forbidden, "viewer_only", "a viewer key reads; delivering requires a project key")
      }
    case .person:
      throw APIError(.forbidden, "viewer_only", "people read; delivering requires a project key")
    case .starter: return AppScope(.all, projects)
    case .nobody, .stranger:
      if asksForKeys { throw Self.noKey(visitor, "ingest") }
      return AppScope(.all, projects)
    }
  }

  private func meter(of visitor: Visitor) -> AppScope.Meter? {
    guard let meters, let key = visitor.keyNumber else { return nil }
    return AppScope.Meter(meters: meters, key: key)
  }

  private static func noKey(_ visitor: Visitor, _ name: String) -> APIError {
    if case .nobody = visitor {
      return APIError(
        .unauthorized, "key_required", "send the \(name) key as \"Authorization: Bearer KEY\" or \"X-API-Key: KEY\"")
    }
    return APIError(.unauthorized, "wrong_key", "the \(name) key is not known")
  }
}
