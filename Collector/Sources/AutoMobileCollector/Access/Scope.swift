/// What a reader may see. The functions that read ask for one, and nothing but the ``Doorkeeper``, at the end of this file,
/// can make it.
struct ReadScope: Sendable {
  /// Who waits for the answer: reading ends when they do not any more.
  let client: ClientPresence
  let reach: DataReach

  fileprivate init(client: ClientPresence, reach: DataReach = .everything) {
    self.client = client
    self.reach = reach
  }
}

/// What an operator may change.
struct OperatorScope: Sendable {
  /// An operator sees what a reader sees.
  let reading: ReadScope

  fileprivate init(reading: ReadScope) { self.reading = reading }
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

  fileprivate init(_ reach: Reach, _ projects: ProjectStore) {
    self.reach = reach
    self.projects = projects
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
      return ReadScope(client: client, reach: reach)
    case .key, .starter: break
    case .nobody, .stranger: if asksForKeys { throw Self.noKey(visitor, "ingest") }
    }
    return ReadScope(client: client)
  }

  func operatorScope(of visitor: Visitor, on client: ClientPresence) throws -> OperatorScope {
    switch visitor {
    case .key(let key) where key.role == .operator: break
    case .starter(isOperator: true): break
    // Keys and projects are among what an operator's key may change: as much as an admin may.
    case .person(let session) where session.person.isAdmin: break
    case .person(let session):
      throw APIError(
        .forbidden, "not_operator", "this requires an admin, and \(session.person.name) is signed in as less")
    case .key, .device:
      throw APIError(.forbidden, "not_operator", "this requires an operator key")
    case .starter, .nobody, .stranger:
      if !operatorKeys.isEmpty { throw Self.noKey(visitor, "operator") }
      guard isLoopback else {
        throw APIError(
          .forbidden, "no_operator_key",
          "this collector can be reached from other machines, so changing anything requires an operator key: "
            + "start it with --operator-key-file")
      }
      if case .starter = visitor { break }
      if asksForKeys { throw Self.noKey(visitor, "ingest") }
    }
    return OperatorScope(reading: ReadScope(client: client))
  }

  func appScope(of visitor: Visitor, takesTokens: Bool) throws -> AppScope {
    switch visitor {
    case .device(let claim):
      guard takesTokens else {
        throw APIError(.forbidden, "upload_only", "an upload token is valid for uploading replays only")
      }
      return AppScope(.one(claim.app), projects)
    case .key(let key):
      switch key.role {
      case .ingest:
        guard let bundle = key.bundleId else { throw Self.noKey(.stranger, "ingest") }
        return AppScope(.project(bundle), projects)
      case .operator: return AppScope(.all, projects)
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

  private static func noKey(_ visitor: Visitor, _ name: String) -> APIError {
    if case .nobody = visitor {
      return APIError(
        .unauthorized, "key_required", "send the \(name) key as \"Authorization: Bearer KEY\" or \"X-API-Key: KEY\"")
    }
    return APIError(.unauthorized, "wrong_key", "the \(name) key is not known")
  }
}
