import Hummingbird

/// Who may use a route. The place where a route is added says it, and the handler is given what follows from it: a scope,
/// without which nothing can be read, changed or delivered.
///
///     routes.get("/api/sessions", for: .reader) { request, context, scope in … }
struct Access<Scope: Sendable>: Sendable {
  let word: AccessWord
  let scope: @Sendable (Doorkeeper, Visitor, _ client: () -> ClientPresence) throws -> Scope
  /// By which what such a visitor has under way is counted; nil for whoever may have everything under way.
  var share: @Sendable (Scope) -> String? = { _ in nil }
  /// Whose data such a visitor brings; nil for those who bring none, or everybody's.
  var owner: @Sendable (Scope) -> DataOwner? = { _ in nil }
}

/// The words, as they stand in the table of routes.
public enum AccessWord: String, Sendable, CaseIterable {
  /// Whoever gets here. What is given out is no secret: the viewer's own files, and that the collector lives.
  case anyone
  /// An app, or whoever may deliver for all: what it brings and asks for is its own app's.
  case ingest
  /// As `ingest`, and a device with an upload token, for the app that it was given out for.
  case upload
  /// Whoever looks: a viewer's or an operator's key, or one that the collector was started with.
  case reader
  /// As `reader`, and nobody who sees one project only.
  case fullReader
  /// Whoever decides: an operator's key, once other machines can get here.
  case `operator`
  /// As `operator`, and an operator of one project, for what belongs to it.
  case projectOperator

  /// Who that is, in a few words.
  public var description: String {
    switch self {
    case .anyone: "no key"
    case .ingest: "a project's key, for its own app"
    case .upload: "a project's key or an upload token, for its own app"
    case .reader: "a viewer's key"
    case .fullReader: "a viewer's key for all projects"
    case .operator: "an operator's key for all projects"
    case .projectOperator: "an operator's key"
    }
  }
}

extension Access where Scope == Void {
  static var anyone: Access { Access(word: .anyone) { _, _, _ in } }
}

extension Access where Scope == AppScope {
  static var ingest: Access {
    Access(
      word: .ingest, scope: { door, visitor, _ in try door.appScope(of: visitor, takesTokens: false) },
      share: \.share, owner: \.meteredOwner)
  }
  static var upload: Access {
    Access(
      word: .upload, scope: { door, visitor, _ in try door.appScope(of: visitor, takesTokens: true) },
      share: \.share, owner: \.meteredOwner)
  }
}

extension Access where Scope == ReadScope {
  static var reader: Access { Access(word: .reader) { try $0.readScope(of: $1, on: $2()) } }
  static var fullReader: Access { Access(word: .fullReader) { try $0.fullReadScope(of: $1, on: $2()) } }
}

extension Access where Scope == OperatorScope {
  static var `operator`: Access { Access(word: .operator) { try $0.operatorScope(of: $1, on: $2()) } }
  static var projectOperator: Access {
    Access(word: .projectOperator) { try $0.projectOperatorScope(of: $1, on: $2()) }
  }
}
