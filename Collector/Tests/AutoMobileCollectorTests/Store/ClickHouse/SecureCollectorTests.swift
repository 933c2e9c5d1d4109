import CertificateTestFiles
import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `A collector whose ClickHouse has a certificate of one's own` {
  private typealias Cluster = `Collectors with their telemetry in ClickHouse`

  private static func batch(_ session: String) -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: session, user: "ada")
    batch.addNavigation(to: "Home", at: 1000)
    return batch
  }

  @Test func `takes in what comes while it is not trusted, and brings it when it is, without a restart`() async throws {
    let secure = try await SecureServer()
    let files = secure.files
    try files.replace("ca.pem", with: "own.pem")
    let place = "clickhouse+https://\(ClickHouseServer.user)@localhost:\(secure.port)/test?ca="
    let options: @Sendable (inout CollectorOptions) -> Void = {
      do { $0.store = try TelemetryPlace(place + files.path("ca.pem")) } catch { Issue.record(error) }
      $0.storePassword = ClickHouseServer.password
      Cluster.hurry(&$0)
    }
    try await RunningCollector.with(options) { collector in
      let (before, meanwhile) = (Self.batch("before"), Self.batch("meanwhile"))
      #expect(try await collector.post(raw: before).status == 200)
      try await collector.waitForLaunch(before.launch, stored: 1)

      try files.replace("ca.pem", with: "other.pem")
      #expect(try await collector.post(raw: meanwhile).status == 200)
      let answer = try await collector.get("/api/sessions")
      #expect(answer.status == 503 && answer.errorCode == "telemetry_unavailable", "\(answer.text)")
      try await eventually("it says that something waits") {
        try await collector.json("/health")["status"].string == "degraded"
      }

      try files.replace("ca.pem", with: "own.pem")
      try await collector.waitForLaunch(meanwhile.launch, stored: 1)
      #expect(try await collector.get("/api/sessions").text.contains("meanwhile"))
    }
    // One that has nothing there yet says why it does not start.
    let directory = try TemporaryDirectory()
    var first = CollectorOptions(dataDirectory: directory.url)
    (first.port, first.store) = (0, try TelemetryPlace(place + files.path("other.pem")))
    first.storePassword = ClickHouseServer.password
    let problem = await Cluster.problem(first)
    #expect(problem?.description.contains("localhost:\(secure.port)") == true)
    #expect(problem?.description.contains("no authority in \(files.path("other.pem"))") == true)
  }
}
