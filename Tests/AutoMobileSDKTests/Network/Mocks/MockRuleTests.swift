import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct MockRuleTests {
  private let rules = NetworkMockRules(isEnabled: true) { _ in }
  private static let ok = NetworkMockResponse.response(status: 200)

  private func answer(
    _ url: String = "https://api.example.com/v1/orders?x=1", _ method: String = "GET",
    headers: [String: String] = [:], body: String? = nil
  ) -> String? {
    guard let url = URL(string: url) else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.allHTTPHeaderFields = headers
    return rules.answer(request, body: body.map { Data($0.utf8) })?.rule
  }

  private func isMatch(
    _ rule: NetworkMockRule, _ url: String = "https://api.example.com/v1/orders?x=1", _ method: String = "GET",
    headers: [String: String] = [:], body: String? = nil
  ) -> Bool {
    defer { rules.reset() }
    #expect(rules.add(rule))
    return answer(url, method, headers: headers, body: body) == rule.id
  }

  @Test func `a rule matches by method, host and path`() {
    let ok = Self.ok
    #expect(isMatch(NetworkMockRule(response: ok)))
    #expect(isMatch(NetworkMockRule(method: "get", response: ok)))
    #expect(!isMatch(NetworkMockRule(method: "POST", response: ok)))
    #expect(isMatch(NetworkMockRule(host: "*.Example.com", response: ok)))
    #expect(!isMatch(NetworkMockRule(host: "example.com", response: ok)))
    #expect(isMatch(NetworkMockRule(host: "localhost:81", response: ok), "http://localhost:81/"))
    #expect(isMatch(NetworkMockRule(host: "localhost", response: ok), "http://localhost:81/"))
    #expect(!isMatch(NetworkMockRule(host: "localhost:82", response: ok), "http://localhost:81/"))
    #expect(isMatch(NetworkMockRule(path: .glob("/v1/*"), response: ok)))
    #expect(isMatch(NetworkMockRule(path: .glob("/v?/orders"), response: ok)))
    #expect(!isMatch(NetworkMockRule(path: .glob("/v1"), response: ok)))
    #expect(isMatch(NetworkMockRule(path: .glob("/"), response: ok), "https://a.example"))
    #expect(isMatch(NetworkMockRule(path: .regex("^/v[0-9]+/orders$"), response: ok)))
    #expect(!isMatch(NetworkMockRule(path: .regex("x=1"), response: ok)))
  }

  @Test func `a rule matches by headers and body`() {
    let ok = Self.ok
    let headers = ["X-Version": "2.1", "Accept": "a"]
    #expect(isMatch(NetworkMockRule(headers: ["x-version": "2.*"], response: ok), headers: headers))
    #expect(!isMatch(NetworkMockRule(headers: ["x-version": "3.*"], response: ok), headers: headers))
    #expect(!isMatch(NetworkMockRule(headers: ["missing": "*"], response: ok), headers: headers))
    #expect(isMatch(NetworkMockRule(bodyContains: "né", response: ok), body: "a né b"))
    #expect(!isMatch(NetworkMockRule(bodyContains: "n", response: ok), body: "a"))
    #expect(!isMatch(NetworkMockRule(bodyContains: "n", response: ok), body: nil))
    #expect(!rules.needsBody)
    rules.add(NetworkMockRule(bodyContains: "n", response: ok))
    #expect(rules.needsBody)
    rules.reset()
  }

  @Test func `the first rule that matches answers, and the app's own come before a collector's`() {
    rules.setRemote([NetworkMockRule(id: "remote", response: Self.ok)])
    #expect(answer() == "remote")
    rules.add(NetworkMockRule(id: "a", path: .glob("/none"), response: Self.ok))
    rules.add(NetworkMockRule(id: "b", response: Self.ok))
    rules.add(NetworkMockRule(id: "c", response: Self.ok))
    #expect(answer() == "b")
    #expect(rules.rules.map(\.id) == ["a", "b", "c", "remote"])
    rules.add(NetworkMockRule(id: "b", method: "PUT", response: Self.ok))
    #expect(answer() == "c")
    rules.remove(id: "c")
    rules.remove(id: "remote")
    #expect(answer() == nil)
    rules.removeAll()
    #expect(rules.rules.isEmpty)
  }

  @Test func `of many threads exactly as many get an answer as the rule's count says`() async {
    rules.add(NetworkMockRule(id: "counted", response: Self.ok, count: 100))
    let used = AtomicWord()
    await onThread {
      DispatchQueue.concurrentPerform(iterations: 1000) { _ in
        if answer() == "counted" { used.add(1) }
      }
    }
    #expect(used.value == 100)
    #expect(rules.rules.isEmpty && answer() == nil)
    rules.reset()
  }

  @Test func `a rule that has expired answers nobody`() {
    rules.add(NetworkMockRule(id: "old", response: Self.ok, expires: Date(timeIntervalSinceNow: -1)))
    rules.add(NetworkMockRule(id: "new", response: Self.ok, expires: Date(timeIntervalSinceNow: 1000)))
    #expect(answer() == "new")
    #expect(rules.rules.map(\.id) == ["new"])
    rules.reset()
  }

  @Test func `a document that arrives again gives nothing back`() {
    let once = NetworkMockRule(id: "once", response: Self.ok, count: 1)
    let other = NetworkMockRule(id: "other", path: .glob("/other"), response: Self.ok)
    rules.setRemote([once])
    #expect(answer() == "once" && answer() == nil)
    rules.setRemote([other, once])
    #expect(answer() == nil, "the same rule in another document")
    var changed = once
    changed.count = 2
    rules.setRemote([changed])
    #expect(answer() == "once" && answer() == "once" && answer() == nil, "another rule of the same name")
    rules.setRemote([])
    rules.setRemote([once])
    #expect(answer() == "once", "it was taken away, and has been set again")
    rules.reset()
  }

  @Test func `a pattern that would take for ever is switched off, and says so`() {
    rules.add(NetworkMockRule(id: "slow", path: .regex("^/(a+)+$"), response: Self.ok))
    rules.add(NetworkMockRule(id: "next", response: Self.ok))
    let url = "https://a.example/" + String(repeating: "a", count: 2000) + "!"
    #expect(answer(url) == "next")
    #expect(rules.problems["slow"]?.contains("20 ms") == true)
    #expect(answer("https://a.example/aaa") == "next", "it is not asked again")
    let tooLong = "https://a.example/" + String(repeating: "a", count: 100_000)
    rules.removeAll()
    rules.add(NetworkMockRule(path: .regex("a"), response: Self.ok))
    #expect(answer(tooLong) == nil)
    rules.reset()
  }

  @Test(arguments: [
    NetworkMockRule(id: "bad", path: .regex("(["), response: ok),
    NetworkMockRule(id: "bad", path: .regex(String(repeating: "a", count: 513)), response: ok),
    NetworkMockRule(id: "bad", response: .response(status: 99)),
    NetworkMockRule(id: "bad", response: .response(status: 600)),
  ])
  func `a rule that cannot be used is refused with the reason`(rule: NetworkMockRule) {
    #expect(!rules.add(rule))
    #expect(rules.problems["bad"]?.isEmpty == false)
    #expect(rules.rules.isEmpty)
    #expect(rules.add(NetworkMockRule(id: "bad", response: Self.ok)))
    #expect(rules.problems.isEmpty)
    rules.reset()
  }

  @Test func `delays and counts that make no sense are bounded`() {
    rules.add(NetworkMockRule(id: "a", response: .passthrough, delayMs: .min, count: .min))
    #expect(answer() == nil)
    rules.add(NetworkMockRule(id: "a", response: .passthrough, delayMs: .max, count: .max))
    let request = URLRequest(url: URL(fileURLWithPath: "/"))
    #expect(rules.answer(request, body: nil) == MockAnswer(rule: "a", delay: 120, outcome: .passthrough))
    for n in 0..<300 { rules.add(NetworkMockRule(id: "\(n)", response: Self.ok)) }
    #expect(rules.rules.count == 256)
    rules.reset()
  }

  @Test func `a release build has no rules`() {
    let installed = AtomicWord()
    let rules = NetworkMockRules(isEnabled: false) { _ in installed.add(1) }
    #expect(!rules.add(NetworkMockRule(response: Self.ok)))
    rules.setRemote([NetworkMockRule(response: Self.ok)])
    #expect(rules.rules.isEmpty && !rules.isEnabled)
    rules.removeAll()
    #expect(installed.value == 0)
  }
}
