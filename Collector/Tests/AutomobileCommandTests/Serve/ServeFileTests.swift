import Foundation
import Testing

@testable import automobile

@Suite struct `Lines of the configuration file` {
  private static func read(_ text: String) -> (given: [String], problems: [ServeFile.Problem]) {
    let (lines, problems) = ServeFile.parse(Data(text.utf8))
    return (lines.map { "\($0.number) \($0.setting.name)=\($0.value)" }, problems)
  }

  @Test func `remarks, blanks, quotation marks and line ends of any editor are read`() {
    let text = """
      \u{FEFF}# mine
      \t
      port=8765\r
        store  =  clickhouse://a@h,h2/d?cluster=main&x=1#y \u{20}
      data = "/var/lib/a b #1 "
      public-url = ""https://x""
      full-text = false
      allow-host = a
      allow-host = b
      """
    let (given, problems) = Self.read(text)
    #expect(problems.isEmpty)
    #expect(
      given == [
        "3 port=8765", "4 store=clickhouse://a@h,h2/d?cluster=main&x=1#y", "5 data=/var/lib/a b #1 ",
        "6 public-url=\"https://x\"", "7 full-text=false", "8 allow-host=a", "9 allow-host=b",
      ])
    #expect(Self.read("").given.isEmpty && Self.read("\n\n# x").problems.isEmpty)
  }

  @Test(arguments: [
    ("prot = 1", "unknown setting “prot”. Did you mean “port”?"), ("public_url = x", "Did you mean “public-url”?"),
    ("frobnicate = 1", "automobile serve --help"), ("--port = 1", "without dashes in front: port"),
    ("help = true", "unknown setting"), ("Port = 1", "unknown setting"), (" = 1", "unknown setting"),
    ("no-full-text = true", "full-text = false"), ("config = x", "command line only"),
    ("check-config = true", "command line only"), ("port", "has no “=”"), ("[serve]", "has no “=”"),
    ("port =", "“port” has no value"), ("port = \"\"", "“port” has no value"),
    ("data = \"/x", "must end with one"), ("data = \"", "must end with one"),
    ("data = \"/x\" # here", "must end with one"),
    ("data = /x # here", "a line of its own"), ("data = # here", "a line of its own"),
    ("full-text = yes", "either true or false"), ("json = True", "either true or false"),
    ("data = a\u{0}b", "control character U+0000"), ("# \u{1B}[2J", "control character U+001B"),
    ("port = 1\rhost = x", "control character U+000D"),
  ])
  func `what a line must not be is said with its number, once`(line: String, said: String) {
    let (given, problems) = Self.read("# first\nhost = ::1\n\(line)\naudit-days = 3\n")
    #expect(given == ["2 host=::1", "4 audit-days=3"])
    #expect(problems.count == 1 && problems.first?.line == 3, "\(problems)")
    #expect(problems.first?.text.contains(said) == true, "\(problems)")
  }

  @Test func `an option that is given once only names its first line`() {
    let (given, problems) = Self.read("port = 1\nallow-host = a\nport = 1\n")
    #expect(given == ["1 port=1", "2 allow-host=a"])
    #expect(problems == [.init(line: 3, text: "“port” stands in line 1 already: remove one of them.")])
  }

  @Test func `bytes that are no text cost their own lines only`() {
    let data = Data("port = 1\n".utf8) + Data([0xFF, 0xFE, 0x0A]) + Data("host = ::1".utf8)
    let (lines, problems) = ServeFile.parse(data)
    #expect(lines.map(\.number) == [1, 3])
    #expect(problems.map(\.line) == [2] && problems[0].text.contains("UTF-8"))
  }

  @Test func `values that the command refuses are found in each line`() {
    let text = """
      port = many
      host = 0.0.0.0
      port-of-call = 1
      state = postgres://ada:hunter22@db/x
      log-level = loud
      tls-key = alone.pem
      key-requests = -1
      audit-days = 0
      """
    let (lines, problems) = ServeFile.parse(Data(text.utf8))
    let wrong = ServeFile.wrongValues(lines)
    #expect(problems.map(\.line) == [3])
    #expect(wrong.map(\.line) == [1, 4, 5, 7, 8], "\(wrong)")
    for (problem, name) in zip(wrong, ["--port", "--state", "--log-level", "--key-requests", "--audit-days"]) {
      #expect(problem.text.contains(name), "\(problem)")
      #expect(!problem.text.contains("hunter22") && !problem.text.contains("\n"))
    }
  }

  @Test func `a key that stands where a name should be is not said`() {
    let text = """
      c2VjcmV0a2V5c2VjcmV0a2V5c2VjcmV0==
      AKIAIOSFODNN7EXAMPLE = 1
      \(String(repeating: "k", count: 64)) = 1
      blobs = s3://bucket?endpoint=https://c2VjcmV0:hunter22@store.example
      prot = 1
      """
    let (lines, problems) = ServeFile.parse(Data(text.utf8))
    let all = problems + ServeFile.wrongValues(lines)
    #expect(all.map(\.line).sorted() == [1, 2, 3, 4, 5], "\(all)")
    for secret in ["c2Vj", "hunter22", "AKIA", "kkkk"] {
      #expect(!all.contains { $0.text.contains(secret) }, "\(secret): \(all)")
    }
    #expect(all.contains { $0.text.contains("unknown setting “prot”") && $0.text.contains("port") })
  }

  @Test func `of any bytes each line is used, is a problem, or says nothing`() {
    var generator = SystemRandomNumberGenerator()
    let pieces = ["port", "=", " ", "\"", "#", "\n", "\r", "\0", "full-text", "true", "é", "--", "allow-host", "key"]
    for _ in 0..<500 {
      var data = Data()
      for _ in 0..<40 {
        data += Data((pieces.randomElement(using: &generator) ?? "").utf8)
        if Int.random(in: 0..<20, using: &generator) == 0 { data.append(UInt8.random(in: 0...255, using: &generator)) }
      }
      let (lines, problems) = ServeFile.parse(data)
      let numbers = lines.map(\.number) + problems.map(\.line)
      #expect(Set(numbers).count == numbers.count)
      #expect(numbers.allSatisfy { (1...data.count(where: { $0 == 0x0A }) + 1).contains($0) })
    }
  }
}
