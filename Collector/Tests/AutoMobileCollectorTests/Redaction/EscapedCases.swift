/// What is escaped, or stands in what is written like a form: as it comes, and what may be left of it. The rules are all patterns, and
/// the fields `password`, `pin` and `token`.
enum EscapedCases {
  static let all: [(text: String, wanted: String)] = forms + escapes + nested + identifiers + harmless

  private static let forms = [
    ("user[password]=secret&x=1", "user[password]=[redacted]&x=1"),
    ("user[password][]=secret&password[0][a]=b", "user[password][]=[redacted]&password[0][a]=[redacted]"),
    ("user%5Bpassword%5D=secret&x=1", "user%5Bpassword%5D=[redacted]&x=1"),
    ("user%5Bpassword%5D%5B%5D=a%20b&x=1", "user%5Bpassword%5D%5B%5D=[redacted]&x=1"),
    ("next=%2Fa%3Ftoken%3Dabc", "next=%2Fa%3Ftoken%3D[redacted]"),
    ("next=%2Fa%3Ftoken%3Dabc%26x%3D1&y=2", "next=%2Fa%3Ftoken%3D[redacted]%26x%3D1&y=2"),
    ("u=https%253A%252F%252Fa%252F%253Ftoken%253Dabc&y=2", "u=https%253A%252F%252Fa%252F%253Ftoken%253D[redacted]&y=2"),
    ("q=%7B%22password%22%3A%22s%22%7D&x=1", "q=%7B%22password%22%3A%22[redacted]%22%7D&x=1"),
    ("q=%7B%22pin%22%3A1234%2C%22n%22%3A1%7D", "q=%7B%22pin%22%3A%22[redacted]%22%2C%22n%22%3A1%7D"),
    ("q=token%3Aabc&page=2", "q=token%3A[redacted]&page=2"),
    ("user%5Bpassword%5D=a+b%26c&x=1", "user%5Bpassword%5D=[redacted]%26c&x=1"),
    ("see a%3Db password=x and more & more", "see a%3Db password=[redacted] and more & more"),
    ("a=1;password=x;b=2", "a=1;password=[redacted];b=2"),
    ("password=a;b&c=d", "password=[redacted]&c=d"),
    ("Cookie: password=a; b=c", "Cookie: password=[redacted]; b=c"),
    ("password = secret, user = ada", "password = [redacted] user = ada"),
    ("password=\"a b\" user=ada", "password=\"[redacted]\" user=ada"),
    ("password=\"\" user=ada", "password=\"\" user=ada"),
    ("card=4111+1111+1111+1111&x=1", "card=[redacted:card]&x=1"),
    ("card=4111%201111%201111%201111", "card=[redacted:card]"),
    ("iban=DE89+3704+0044+0532+0130+00&x=1", "iban=[redacted:iban]&x=1"),
    ("tel=%2B49+30+123456&x=1", "tel=[redacted:phone]&x=1"),
    ("tel=%2B4930123456", "tel=[redacted:phone]"),
    ("ip=192%2E0%2E2%2E60", "ip=[redacted:ip]"),
    ("to=mira%2540example.com&x=1", "to=[redacted:email]&x=1"),
  ]

  private static let escapes = [
    // Not whole, so a text; backslashes are as many as JSON is deep.
    (#"{"mail":"mira\u0040example.com","x":"#, #"{"mail":"[redacted:email]","x":"#),
    (#"{"url":"https://a/?token\u003dabc\u0026x=1","y":"#, #"{"url":"https://a/?token\u003d[redacted]\u0026x=1","y":"#),
    (#"{"pass\u0077ord":"x","y":"#, #"{"pass\u0077ord":"[redacted]","y":"#),
    (#"{"pass\u0077ord":[1,"a"],"y":"#, #"{"pass\u0077ord":"[redacted]","y":"#),
    (#"{\"mail\":\"mira\\u0040example.com\",\"x\":"#, #"{\"mail\":\"[redacted:email]\",\"x\":"#),
    (#"{"a":"{\"b\":\"?password=x\",\"c\":\""#, #"{"a":"{\"b\":\"?password=[redacted]\",\"c\":\""#),
    (#"{"m":"password=\"x y\" and","#, #"{"m":"password=\"[redacted]\" and","#),
    (#"{"m":"password: x y","next":"keep","#, #"{"m":"password: [redacted]","next":"keep","#),
    (#"{"m":"password=","next":"keep","#, #"{"m":"password=","next":"keep","#),
    (deep(15, cut: true), deep(15, cut: true, "[redacted]")), (deep(31, cut: true), deep(31, cut: true, "[redacted]")),
  ]

  private static let nested = [
    // As Android's writes it.
    (
      #"{"body":"{\"mail\":\"mira\\u0040example.com\",\"url\":\"https://a/?token\\u003dabc\"}"}"#,
      #"{"body":"{\"mail\":\"[redacted:email]\",\"url\":\"https://a/?token=[redacted]\"}"}"#
    ),
    (#"{"body":"{\"pass\\u0077ord\":\"x\",\"n\": 1}"}"#, #"{"body":"{\"pass\\u0077ord\":\"[redacted]\",\"n\": 1}"}"#),
    (#"{"body":"[{\"card\":4111111111111111}]"}"#, #"{"body":"[{\"card\":\"[redacted:card]\"}]"}"#),
    (#"{"body":"\"mira\\u0040example.com\""}"#, #"{"body":"\"[redacted:email]\""}"#),
    (
      #"{"body":"{\"headers\":[{\"name\":\"X-Token\",\"value\":\"a\"},{\"name\":\"token\",\"value\":\"b\"}]}"}"#,
      #"{"body":"{\"headers\":[{\"name\":\"X-Token\",\"value\":\"a\"},{\"name\":\"token\",\"value\":\"[redacted]\"}]}"}"#
    ),
    (deep(15), deep(15, "[redacted]")), (deep(31), deep(31, "[redacted]")),
  ]

  /// JSON with a password in a string of JSON, so deep that its quotes have this many backslashes.
  private static func deep(_ slashes: Int, cut: Bool = false, _ secret: String = "secret") -> String {
    let quote = String(repeating: "\\", count: slashes) + "\""
    let inner = "{\(quote)n\(quote):1,\(quote)password\(quote):\(quote)\(secret)\(quote),\(quote)m\(quote):2}"
    if cut { return "{\"a\":\"\(inner)" }
    var (text, left) = (inner, slashes)
    while left > 0 {
      left /= 2
      let outer = String(repeating: "\\", count: left) + "\""
      text = "{\(outer)a\(outer):\(outer)\(text)\(outer)}"
    }
    return text
  }

  private static let identifiers = [
    (
      #"{"eventType":"custom","properties":{"name":"4111111111111111","state":"DE89370400440532013000","type":"203.0.113.7","level":4111111111111111}}"#,
      #"{"eventType":"custom","properties":{"name":"[redacted:card]","state":"[redacted:iban]","type":"[redacted:ip]","level":"[redacted:card]"}}"#
    ),
    (
      #"{"name":"4111111111111111","properties":{"sessionId":"4111111111111111","launchId":4111111111111111}}"#,
      #"{"name":"[redacted:card]","properties":{"sessionId":"[redacted:card]","launchId":"[redacted:card]"}}"#
    ),
    (
      #"{"context":{"sessionId":"4111111111111111","tags":{"sessionId":"4111111111111111"}},"sequence":4111111111111111}"#,
      #"{"context":{"sessionId":"4111111111111111","tags":{"sessionId":"[redacted:card]"}},"sequence":4111111111111111}"#
    ),
    (
      #"{"body":"{\"sessionId\":\"4111111111111111\"}","traceId":"4111111111111111"}"#,
      #"{"body":"{\"sessionId\":\"[redacted:card]\"}","traceId":"4111111111111111"}"#
    ),
  ]

  /// Nothing is taken out of it.
  private static let harmless = [
    "50%25 of 100%, 2+2 and C++", "?q=a+b+c&page=2&sort=%2Dname", "user[name]=ada&x[0]=1", "100%", "%", "%4", "\\",
    "\\u00",
    "a]password", "password", "password]=", "[password", "password=", "password[", "password[=x", "tokens=abc",
    "%5Bpassword%5D",
    #"{"body":"{\"a\":\"b\\u0026c\",\"n\":[1,2.5e3,null,true],\"t\":\"1+1\"}"}"#, #"{"url":"https://a/b%20c?d=e+f#g"}"#,
    #"{"body":"[not JSON"}"#, #"{"body":"{\"a\":"}"#, #"{"a":"\ud83d\ude00 \u00e9+\u00e9"}"#,
    #"{"timestamp":1700000000000}"#,
  ].map { ($0, $0) }
}
