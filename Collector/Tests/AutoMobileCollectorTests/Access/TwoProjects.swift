import Foundation
import Testing

@testable import AutoMobileCollector

/// A collector with two projects whose keys are known, for tests in which one of them tries to reach the other.
struct TwoProjects: Sendable {
  static let first = "com.example.first"
  static let second = "com.example.second"
  static let operatorKey = [("Authorization", "Bearer operator-secret")]

  let collector: RunningCollector
  /// Headers of the two keys.
  let first: [(String, String)]
  let second: [(String, String)]

  static func with(_ body: @escaping @Sendable (TwoProjects) async throws -> Void) async throws {
    try await RunningCollector.with { options in
      options.ingestKeys = ["started-with-1"]
      options.operatorKeys = ["operator-secret"]
    } _: { collector in
      func key(_ bundle: String) async throws -> [(String, String)] {
        let made = try await collector.post(
          "/api/projects", "{\"name\":\"\(bundle)\",\"bundleId\":\"\(bundle)\"}", headers: operatorKey)
        let project = try #require(try made.json()["id"].int)
        let key = try await collector.post(
          "/api/keys", "{\"project\":\(project),\"role\":\"ingest\"}", headers: operatorKey)
        return [("Authorization", "Bearer \(try #require(try key.json()["key"].string))")]
      }
      try await body(TwoProjects(collector: collector, first: key(first), second: key(second)))
    }
  }

  func read(_ path: String) async throws -> JSONValue { try await collector.json(path, headers: Self.operatorKey) }

  /// Asks as an operator until `isDone`, for at most a minute.
  @discardableResult
  func wait(for path: String, until isDone: (JSONValue) -> Bool) async throws -> JSONValue {
    let deadline = ContinuousClock.now + .seconds(60)
    var last = try await read(path)
    while !isDone(last) {
      try #require(ContinuousClock.now < deadline, "waited in vain; the last answer was \(last)")
      try await Task.sleep(for: .milliseconds(5))
      last = try await read(path)
    }
    return last
  }
}
