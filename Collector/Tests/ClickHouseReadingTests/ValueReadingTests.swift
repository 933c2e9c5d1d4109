import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct ValueReadingTests {
  @Test func `Fields are completed with the same values, for who may see them`() async throws {
    let twins = try await Twins.shop
    var scopes = [("everything", try twins.store.everything())]
    scopes.append(("one project", try await twins.store.only("dev.example.shop2")))
    for (name, scope) in scopes {
      for domain in SearchDomain.allCases {
        for field in SearchCatalogue.fields(domain) where field.hasValues && field.name != "assignee" {
          for beginning in ["", "go", "z"] {
            try await twins.compare("\(domain) \(field.name):\(beginning) for \(name)") {
              try await SQLiteValues(store: twins.store).values(scope, of: field, in: domain, beginning: beginning)
            } _: {
              try await ClickHouseValues(telemetry: $0).values(scope, of: field, in: domain, beginning: beginning)
            } as: { values, _ in
              values.map { "\($0.text) \($0.count ?? -1)" }.joined(separator: "\n")
            }
          }
        }
      }
    }
  }
}
