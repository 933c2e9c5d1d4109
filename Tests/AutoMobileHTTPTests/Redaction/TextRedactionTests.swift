import AutoMobileHTTP
import Testing

@Suite struct TextRedactionTests {
  private let redaction = HTTPRedaction()

  @Test(arguments: [
    (
      "could not connect to https://a.example/?token=S3CRET in time",
      "could not connect to https://a.example/?token=REDACTED in time"
    ),
    ("the password: S3CRET", "REDACTED"),
    ("token=REDACTED,password=S3CRET", "REDACTED"),
    ("password= https://S3CRET/", "REDACTED"),
    ("Authorization: Bearer S3CRET-and-more", "REDACTED"),
    ("sent Bearer S3CRET-and-more", "REDACTED"),
    ("{\\\"pin\\\" : \\\"S3CRET\\\"}", "REDACTED"),
    ("<a:password kind='x'>S3CRET</a:password>", "REDACTED"),
    ("&lt;password&gt;S3CRET&lt;/password&gt;", "REDACTED"),
    ("<input type=hidden name=\"csrf_token\" value=\"S3CRET\">", "REDACTED"),
    ("<key>password</key><string>S3CRET</string>", "REDACTED"),
    ("ｐａｓｓｗｏｒｄ=S3CRET", "REDACTED"),
    ("401: the token is invalid", "401: the token is invalid"),
    ("max-age=3600; at 12:30", "max-age=3600; at 12:30"),
  ])
  func `what looks like a secret does not stay in a text`(text: String, expected: String) {
    #expect(redaction.redactedText(text) == expected)
  }

  @Test func `credentials in headers are redacted whatever the case of their names`() {
    let headers = [
      "AUTHORIZATION": "Bearer S3CRET", "cookie": "a=S3CRET", "Set-Cookie": "S3CRET", "X-CSRF-Token": "S3CRET",
      "x_api_key": "S3CRET", "Proxy-Authorization": "Basic S3CRET", "X-Amz-Security-Token": "S3CRET",
    ]
    #expect(redaction.redactedHeaders(headers) == headers.mapValues { _ in "REDACTED" })
  }

  @Test func `other headers stay, without the secrets in their URLs`() {
    let headers = [
      "Accept": "text/html", "Location": "/done?code=1&token=S3CRET", "Link": "<https://a/?sig=S3CRET>; rel=next",
      "Referer": "https://joe:S3CRET@a.example/",
    ]
    let redacted = redaction.redactedHeaders(headers)
    #expect(redacted["Accept"] == "text/html")
    #expect(redacted["Location"] == "/done?code=1&token=REDACTED")
    #expect(redacted["Referer"] == "https://REDACTED@a.example/")
    #expect(!redacted.values.contains { $0.contains("S3CRET") })
  }

  @Test func `whoever lists no headers has them as they are, and whoever lists nothing has everything so`() {
    let headers = [
      "Authorization": "Bearer abc", "Cookie": "a=b", "X-Auth-Token": "t", "Referer": "https://a/?token=1",
    ]
    #expect(HTTPRedaction(headers: []).redactedHeaders(headers) == headers)
    let none = HTTPRedaction(headers: [], fields: [])
    #expect(none.redactedHeaders(headers) == headers)
    #expect(none.redactedText("password=1 Bearer abc") == "password=1 Bearer abc")
    let url = "https://joe:secret@a.example/x;sid=1?token=2#jwt=3"
    #expect(none.redactedURL(url) == url)
    // Of the rest, the fields still take care.
    #expect(HTTPRedaction(headers: []).redactedURL("https://a.example/?token=1").contains(HTTPRedaction.mark))
  }
}
