import Testing

@testable import AutoMobileClickHouse

@Suite struct AddressTests {
  @Test func `An address has hosts, a person, a database and options`() throws {
    let address = try ClickHouseAddress(
      "clickhouse://ann:p%40ss%2Fw%3Ard@One.example:9123,two,[::1]:8124/app%20data?cluster=main&timeout=5&compression=gzip"
    )
    #expect(address.hosts == [.init("one.example", 9123), .init("two", 8123), .init("::1", 8124)])
    #expect(address.user == "ann" && address.password == "p@ss/w:rd")
    #expect(address.database.text == "app data" && address.cluster?.text == "main")
    #expect(address.timeout == .seconds(5) && address.isCompressed && !address.isSecure)
    let secure = try ClickHouseAddress("clickhouse+https://host")
    #expect(secure.isSecure && secure.hosts == [.init("host", 8443)])
    #expect(secure.user == "default" && secure.password == "" && secure.database.text == "automobile")
    #expect(secure.cluster == nil && !secure.isCompressed && secure.tls.isEmpty)
    let own = try ClickHouseAddress(
      "clickhouse+https://h/d?ca=/etc/own%20ca.pem&tls-certificate=/a/b.pem&tls-key=/a/b.key")
    #expect(own.tls.authorities == "/etc/own ca.pem")
    #expect(own.tls.certificate == "/a/b.pem" && own.tls.key == "/a/b.key")
  }

  @Test(arguments: [
    ("http://h", "begins with"), ("h:8123", "begins with"), ("clickhouse://", "no name"),
    ("clickhouse://a,,b", "no name"),
    ("clickhouse://a:0", "port"), ("clickhouse://a:65536", "port"), ("clickhouse://a:+80", "port"),
    ("clickhouse://a:", "port"),
    ("clickhouse://a b", "letters"), ("clickhouse://ä", "letters"), ("clickhouse://[::1", "]"),
    ("clickhouse://[x]", "IPv6"),
    ("clickhouse://[::1]8", "port"), ("clickhouse://[::１]", "IPv6"), ("clickhouse://:pw@h", "no user"),
    ("clickhouse://u:%G0@h", "hexadecimal"),
    ("clickhouse://u:%0A@h", "control"), ("clickhouse://u:%FF@h", "UTF-8"), ("clickhouse://h/a/b", "one database"),
    ("clickhouse://h?timeout=0", "timeout"), ("clickhouse://h?timeout=x", "timeout"),
    ("clickhouse://h?clutser=a", "options"),
    ("clickhouse://h?compression=lz4", "compression"), ("clickhouse://h?cluster=", "cluster"),
    ("clickhouse://h#a", "#"),
    ("clickhouse://h,h", "twice"), ("clickhouse://h?ca=/a.pem", "HTTPS"),
    ("clickhouse+https://h?ca=", "names of files"),
    ("clickhouse+https://h?ca=a%00b", "names of files"), ("clickhouse+https://h?tls-key=/a", "belong together"),
    ("clickhouse+https://h?tls-certificate=/a", "belong together"),
  ])
  func `What is no address is refused with the part that is wrong`(_ text: String, _ word: String) {
    let error = #expect(throws: ClickHouseError.self) { try ClickHouseAddress(text) }
    #expect(error?.kind == .address)
    #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    "clickhouse://u:hunter2secret@h b", "clickhouse://u:hunter2secret?@h", "clickhouse://u:hunter2secret%@h",
  ])
  func `An error does not say what was in the address`(_ text: String) {
    let error = #expect(throws: ClickHouseError.self) { try ClickHouseAddress(text) }
    #expect(error.map { "\($0)".contains("hunter2") } == false)
  }

  @Test func `A password is in no description, whatever prints it`() throws {
    let address = try ClickHouseAddress("clickhouse://ann:hunter2secret@h/db?cluster=c")
    var dumped = ""
    dump(address, to: &dumped)
    dump([address], to: &dumped)
    for text in ["\(address)", String(reflecting: address), "\([address])", dumped] {
      #expect(!text.contains("hunter2"))
    }
    #expect("\(address)" == "clickhouse://h:8123/db?cluster=c")
  }

  @Test func `A value that is put into an address is percent-encoded`() {
    #expect(ClickHouseQuestion.encoded("a-Z_0.~ &=#+%'\\é") == "a-Z_0.~%20%26%3D%23%2B%25%27%5C%C3%A9")
  }
}
