import Logging

@testable import AutoMobileCollector

extension EventStore {
  /// What the door gives to somebody on this machine: tests get their scopes there like everybody else.
  func readScope() throws -> ReadScope {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let doorkeeper = Doorkeeper(
      keys: [], operatorKeys: [], projects: try ProjectStore(pool: pool, logger: logger),
      tokens: try UploadTokens(pool: pool, startedWith: []), isLoopback: true)
    return try doorkeeper.readScope(of: .nobody, on: ClientPresence())
  }
}
