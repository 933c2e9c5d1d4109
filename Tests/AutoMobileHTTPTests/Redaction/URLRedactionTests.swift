import AutoMobileHTTP
import Testing

@Suite struct URLRedactionTests {
  private let redaction = HTTPRedaction()

  @Test(arguments: [
    ("https://a.example/p?q=1&token=S3CRET&z=2", "https://a.example/p?q=1&token=REDACTED&z=2"),
    ("https://a.example/p?access%5Ftoken=S3CRET", "https://a.example/p?access%5Ftoken=REDACTED"),
    ("https://a.example/p?%61pi_k%65y=S3CRET", "https://a.example/p?%61pi_k%65y=REDACTED"),
    ("https://a.example/p?%2570assword=S3CRET", "https://a.example/p?%2570assword=REDACTED"),
    ("https://a.example/p?user%5Bpassword%5D=S3CRET", "https://a.example/p?user%5Bpassword%5D=REDACTED"),
    ("https://a.example/p?PassWord=S3CRET;x=1&", "https://a.example/p?PassWord=REDACTED&"),
    ("https://a.example/p?a=1;token=S3CRET", "https://a.example/p?a=REDACTED"),
    ("https://a.example/p?&a=&=b&&", "https://a.example/p?&a=&=b&&"),
    ("https://joe:S3CRET@a.example/p", "https://REDACTED@a.example/p"),
    ("https://a.example/#access_token=S3CRET&state=1", "https://a.example/#access_token=REDACTED&state=1"),
    ("https://a.example/#/done?token=S3CRET", "https://a.example/#/done?token=REDACTED"),
    ("https://a.example/p;jsessionid=S3CRET/q?x=1", "https://a.example/REDACTED?x=1"),
    (
      "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Ftoken%3DS3CRET&x=1",
      "https://a.example/?next=REDACTED&x=1"
    ),
    ("https://a.example/?variables=%7B%22password%22%3A%22S3CRET%22%7D", "https://a.example/?variables=REDACTED"),
    ("https://a.example/?%7B%22password%22%3A%22S3CRET%22%7D", "https://a.example/?REDACTED"),
    ("/relative?pin=S3CRET", "/relative?pin=REDACTED"),
    ("token=S3CRET://x", "REDACTED"),
    ("https://a.example/shipping?pinned=1&tax=2&opinion=3", "https://a.example/shipping?pinned=1&tax=2&opinion=3"),
    ("not a url at all", "not a url at all"),
    ("", ""),
  ])
  func `a URL keeps everything but its secrets`(url: String, expected: String) {
    #expect(redaction.redactedURL(url) == expected)
    #expect(redaction.redactedURL(expected) == expected, "a second time changes nothing")
  }

  @Test func `a name that is encoded again and again is not believed`() {
    let name = "%" + String(repeating: "25", count: 40) + "70assword"
    #expect(!redaction.redactedURL("https://a.example/?\(name)=S3CRET").contains("S3CRET"))
  }

  @Test func `names are configurable`() {
    let own = HTTPRedaction(fields: ["Birth-Day", "key"])
    #expect(
      own.redactedURL("u?birthDay=1&token=2&key=3&monkey=4&api.key=5")
        == "u?birthDay=REDACTED&token=2&key=REDACTED&monkey=4&api.key=REDACTED")
    #expect(HTTPRedaction(headers: [], fields: []).redactedURL("https://joe@a.example/?token=1").contains("token=1"))
  }
}
