import Testing

@testable import AutoMobileCollector

@Suite struct `A request's target` {
  @Test(arguments: [
    "/", "/?a=b", "/api/sessions", "/api/sessions/3F2A-1", "/api/sessions/a%2Fb%20c/events?q=%2f//..;x",
    "/api/config/*",
    "/api/config/%2A", "/styles/app.css", "/a/launch:3f2a@com.b,x='1'", "/%C3%BC",
  ])
  func `in its normal form is taken`(target: String) throws {
    try RequestTarget.check(target)
  }

  @Test(arguments: [
    "", "*", "api", "http://h/api", "h:80", "//", "//api", "/api//keys", "/api/", "/./api", "/api/..", "/..",
    "/%2E%2E/a",
    "/a/%2e/b", "/a;x", "/a%", "/a%2", "/a%zz", "/a%2f", "/%61pi", "/a%00", "/a%7F", "/a%0A", "/a b", "/a\\b", "/a\"b",
    "/a|b", "/ü", "/a#b", "/a?b#c", "/a?\u{7F}",
  ])
  func `in any other is refused`(target: String) {
    #expect {
      try RequestTarget.check(target)
    } throws: { error in
      (error as? APIError)?.status == .badRequest && (error as? APIError)?.code == "invalid_target"
    }
  }
}
