import Foundation
import Testing

@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct TraceparentTests {
  private let traceparents = Traceparents()

  private func request(_ url: String, _ traceparent: String? = nil) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.setValue(traceparent, forHTTPHeaderField: "Traceparent")
    return request
  }

  private func traceparent(_ request: URLRequest) -> String? {
    traceparents.add(to: request).value(forHTTPHeaderField: "traceparent")
  }

  @Test func `a request to a listed host gets a traceparent, each its own`() throws {
    traceparents.setHosts([Glob("*.example.com", ignoresCase: true)])
    let first = try #require(traceparent(try request("https://API.example.com/")))
    #expect(first.wholeMatch(of: #/00-[0-9a-f]{32}-[0-9a-f]{16}-01/#) != nil)
    #expect(!first.contains("-00000000"))
    #expect(traceparent(try request("https://api.example.com/")) != first)
  }

  @Test func `other hosts get none, and one that is there stays`() throws {
    traceparents.setHosts([Glob("*.example.com")])
    #expect(traceparent(try request("https://example.org/")) == nil)
    #expect(traceparent(try request("https://api.example.com.evil.org/")) == nil)
    #expect(traceparent(try request("https://api.example.com/", "mine")) == "mine")
    #expect(traceparent(try request("https://example.org/", "mine")) == "mine")
  }

  @Test func `one that was added does not follow a redirect to a host that is not listed`() throws {
    traceparents.setHosts([Glob("*.example.com")])
    let sent = traceparents.add(to: try request("https://api.example.com/"))
    let value = try #require(sent.value(forHTTPHeaderField: "traceparent"))
    #expect(traceparent(try request("https://www.example.com/", value)) == value)
    #expect(traceparent(try request("https://example.org/", value)) == nil)
  }
}
