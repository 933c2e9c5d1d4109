import Logging

@testable import AutoMobileCollector

extension EventStore {
  /// What the door gives to somebody on this machine: tests get their scopes there like everybody else.
  func readScope() throws -> ReadScope {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let doorkeeper = Doorkeeper(
      keys: [], operatorKeys: [], projects: try ProjectStore(state, logger: logger),
      tokens: try UploadTokens(state, startedWith: []), isReachable: false)
    return try doorkeeper.readScope(of: .nobody, on: ClientPresence())
  }
}

extension EventStore {
  /// What the door gives to somebody with a viewer's key for one project, which has to be there.
  func readScope(for bundle: String) async throws -> ReadScope {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let projects = try ProjectStore(state, logger: logger)
    let project = try await projects.createProject(name: bundle, bundleId: bundle, by: "test", at: 1)
    let made = try await projects.createKey(project: project, name: "v", role: .viewer, by: "test", at: 1)
    let doorkeeper = Doorkeeper(
      keys: [], operatorKeys: [], projects: projects, tokens: UploadTokens(), isReachable: false)
    guard let key = projects.key(made.secret, at: 2) else { throw CancellationError() }
    return try doorkeeper.readScope(of: .key(key), on: ClientPresence())
  }
}
