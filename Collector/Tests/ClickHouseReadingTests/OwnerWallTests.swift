import ClickHouseTestServer
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// Who sees some projects only: their owners' names and no others, however they are called.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(5)))
struct OwnerWallTests {
  private static let projects: Set = ["com.a", "com.a.b", "com.a.b.c", "com.ab", "it's"]
  private static let owners = [
    "app com.a", "app com.a.widget", "app com.a.b", "app com.a.b.widget", "app com.a.b.c", "app com.a.b.c.d",
    "app com.a.bc",
    "app com.ab", "app com.a/b", "app com", "app com.A", "app ", "app it's", "app it's.x", "file com.a", "com.a", "",
    "app com.a-b",
    "app com.a' OR 1 --",
  ]

  @Test(arguments: [
    ["com.a"], ["com.a.b"], ["com.a", "com.a.b.c"], ["com.ab", "it's"], ["com.a", "com.a.b", "com.a.b.c"], ["none"], [],
  ])
  func `sees what the projects are the owners of`(own: [String]) async throws {
    let wall = OwnerWall(of: Set(own), among: Self.projects)
    try await ClickHousePair.shared.servers[0].with { client in
      let seen = try await client.rows(
        "SELECT project FROM (SELECT arrayJoin(\(SQLValue.strings(Self.owners))) AS project) WHERE \(wall.sql)"
      ) { try $0.string() }
      let wanted = Self.owners.filter { name in
        guard let bundle = DataOwner(name: name).bundleId else { return false }
        return own.contains(DataOwner.app(bundle, among: Self.projects).bundleId ?? "")
          && Self.projects.contains(DataOwner.app(bundle, among: Self.projects).bundleId ?? "")
      }
      #expect(seen == wanted)
    }
  }
}
