import AutoMobileState
import Foundation
import NIOCore
import PostgresTestServer
import Testing

@testable import AutoMobileCollector

/// Collectors with one state, and what apps and people ask each of them.
struct CommandCompany: Sendable {
  static let app = "dev.example.shop"

  let collectors: [RunningCollector]
  let database: String
  /// Where all of them have their blobs.
  let blobs: String

  subscript(_ index: Int) -> RunningCollector { collectors[index] }

  func question(_ index: Int, _ launch: String, bundle: String = app, wait: Int = 30, key: [(String, String)] = [])
    async throws -> RunningCollector.Answer
  {
    try await self[index].get(
      "/sdk-commands?launchId=\(launch)&bundleId=\(bundle)&commands=ping,flush&wait=\(wait)", headers: key)
  }

  /// Asks until there is a command, as apps do.
  func asked(_ index: Int, _ launch: String, bundle: String = app, key: [(String, String)] = [])
    async throws -> RunningCollector.Answer
  {
    let deadline = ContinuousClock.now + .seconds(90)
    var answer = try await question(index, launch, bundle: bundle, key: key)
    while answer.status == 204, .now < deadline {
      answer = try await question(index, launch, bundle: bundle, key: key)
    }
    return answer
  }

  func command(_ index: Int, _ body: String, key: [(String, String)] = []) async throws -> RunningCollector.Answer {
    try await self[index].post("/api/commands", body, headers: key)
  }

  func answer(_ index: Int, _ id: String, launch: String, _ body: String, key: [(String, String)] = [])
    async throws -> RunningCollector.Answer
  {
    try await self[index].post("/sdk-commands/\(id)/result?launchId=\(launch)", body, headers: key)
  }

  /// Every collector lists it.
  func waitForListener(_ launch: String) async throws {
    for collector in collectors {
      try await collector.wait(for: "/api/commands") { answer in
        answer["listeners"].array.contains { $0["launchId"].string == launch }
      }
    }
  }

  func rows(_ sql: StateSQL) async throws -> [StateRow] {
    try await self[0].collector.state.read { try $0.rows(sql) }
  }

  func expectNoCommands() async throws {
    try await eventually("no command is left in the state") {
      try await rows("SELECT id FROM command").isEmpty
    }
  }

  /// Another collector, as a process of its own.
  func process(in directory: URL) async throws -> CollectorProcess {
    let port = try PostgresServer.shared.port
    return try await CollectorProcess(
      directory: directory,
      arguments: ["--state", "postgres://automobile@127.0.0.1:\(port)/\(database)", "--blobs", blobs],
      environment: [
        "PGPASSWORD": PostgresServer.password, "AWS_ACCESS_KEY_ID": S3Server.credentials.accessKey,
        "AWS_SECRET_ACCESS_KEY": S3Server.credentials.secretKey,
      ])
  }

  static func with(
    _ count: Int = 3, adjust: @escaping @Sendable (inout CollectorOptions) -> Void = { _ in },
    _ body: @escaping @Sendable (CommandCompany) async throws -> Void
  ) async throws {
    let blobs = "s3://bucket/\(BlobName.unique())?endpoint=\(try await S3Server.shared.endpoint)"
    let place = try BlobPlace(blobs)
    try await SharedState.with { database in
      let share: @Sendable (inout CollectorOptions) -> Void = {
        ($0.blobs, $0.blobCredentials) = (place, S3Server.credentials)
        do { try $0.shareState(in: database) } catch { Issue.record(error) }
        adjust(&$0)
      }
      @Sendable func more(_ running: [RunningCollector]) async throws {
        if running.count == count {
          return try await body(CommandCompany(collectors: running, database: database, blobs: blobs))
        }
        try await RunningCollector.with(share) { try await more(running + [$0]) }
      }
      try await more([])
    }
  }
}
