#if os(macOS) || os(Linux)
@testable import AutoMobileRequests
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The same app code, with and without interception, against the same server: it sees the same.
@Suite struct DifferentialTests {
  private static let megabyte = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

  private static let scenarios: [Scenario] =
    ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"].map {
      Scenario(name: "method \($0)", path: "/echo?a=1", method: $0, headers: ["X-Own": "value"])
    } + [
      Scenario(name: "body of 0 bytes", path: "/echo", method: "POST", body: Data()),
      Scenario(name: "body of 1 MB", path: "/echo", method: "POST", body: megabyte),
      Scenario(name: "body as stream", path: "/echo", method: "POST", bodyStream: megabyte),
      Scenario(name: "upload of data", path: "/echo", method: "PUT", upload: .data(megabyte)),
      Scenario(name: "upload of data by POST", path: "/echo", method: "POST", upload: .data(megabyte.prefix(5000))),
      Scenario(name: "upload of a file", path: "/echo", method: "PUT", upload: .file(megabyte)),
      Scenario(
        name: "upload on demand", path: "/echo", method: "PUT", upload: .onDemand(megabyte), styles: [.delegate]),
      Scenario(name: "download", path: "/bytes/100000", isDownload: true),
      Scenario(name: "download after redirects", path: "/redirect/2", isDownload: true),
      Scenario(name: "1 MB", path: "/bytes/1048576"),
      Scenario(name: "no content", path: "/status/204"),
      Scenario(name: "not found", path: "/status/404"),
      Scenario(name: "server's fault", path: "/status/500"),
      Scenario(name: "1 hop", path: "/redirect/1"),
      Scenario(name: "5 hops", path: "/redirect/5"),
      Scenario(name: "a POST that becomes a GET", path: "/redirect/1/303", method: "POST", body: Data("form".utf8)),
      Scenario(name: "a permanent redirect", path: "/redirect/2/301"),
      Scenario(name: "a redirect that keeps its method", path: "/redirect/1/307", method: "PUT"),
      Scenario(name: "a loop", path: "/loop"),
      // Without interception, Linux loses such an answer's body for completion handlers.
      Scenario(name: "a refused redirect", path: "/redirect/3", redirects: .refuse, styles: [.delegate]),
      Scenario(name: "a changed redirect", path: "/redirect/2", redirects: .changeHeader),
      Scenario(name: "the right password", path: "/basic", credential: ("user", "secret"), styles: [.delegate]),
      Scenario(name: "a wrong password", path: "/basic", credential: ("user", "wrong"), styles: [.delegate]),
      Scenario(name: "no password", path: "/basic", styles: [.delegate]),
      Scenario(name: "chunked", path: "/chunked"),
      Scenario(name: "gzip", path: "/gzip"),
      Scenario(name: "server-sent events", path: "/sse"),
      Scenario(name: "a body without end", path: "/endless", cancel: .atData, styles: [.delegate]),
      Scenario(name: "a header that is no UTF-8", path: "/latin1"),
      Scenario(name: "a slow answer", path: "/slow/0.2"),
      Scenario(name: "an answer that never comes", path: "/slow/30", timeout: 1),
      // Long enough for its beginning to come, on a busy machine as well.
      Scenario(name: "an answer that stalls", path: "/stall", timeout: 3),
      Scenario(name: "an answer that is cut", path: "/cut"),
      Scenario(name: "no answer", path: "/close"),
      Scenario(name: "garbage", path: "/garbage"),
      Scenario(name: "cancelled at once", path: "/slow/30", cancel: .atOnce),
      Scenario(name: "cancelled at the response", path: "/stall", cancel: .atResponse, styles: [.delegate]),
      Scenario(name: "cancelled at the first data", path: "/stall", cancel: .atData, styles: [.delegate]),
      Scenario(name: "cancelled at a redirect", path: "/redirect/2", cancel: .atRedirect, styles: [.delegate]),
      Scenario(name: "a cookie", path: "/cookie/set"),
    ]

  @Test func `an app sees the same with and without interception`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    // Until all is over: what is cancelled at once may be over for the app before its exchange has begun.
    await log.observing {
      var count = 0
      for scenario in Self.scenarios {
        for style in scenario.styles {
          let bare = await HostClient.run(scenario, style, at: server.url, Self.configuration())
          let configuration = Self.configuration()
          NetworkInterception.shared.register(in: configuration)
          let intercepted = await HostClient.run(scenario, style, at: server.url, configuration)
          #expect(bare == intercepted, "\(scenario.name), \(style)")
          count += 1
        }
      }
      let exchanges = await log.first(count)
      #expect(exchanges.count == count, "each is recorded, once")
    }
  }

  /// Nothing shared between two runs.
  private static func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Session": "additional"]
    return configuration
  }
}
#endif
