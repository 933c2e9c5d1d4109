import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Where telemetry is kept` {
  @Test func `is an address of ClickHouse, or the folder`() throws {
    #expect(try TelemetryPlace("folder") == .folder)
    for text in [
      "clickhouse://h", "clickhouse://ada@h:8123,g:9000/db?cluster=two&timeout=5", "clickhouse+https://h/db",
      "clickhouse://[::1]:8123/db?compression=gzip",
    ] {
      #expect(try TelemetryPlace(text) == .clickhouse(text))
      #expect(try TelemetryPlace(text).address(password: "secret")?.password == "secret")
    }
  }

  @Test(arguments: [
    ("", "clickhouse://USER@HOST/DATABASE"), ("postgres://h/db", "clickhouse://USER@HOST/DATABASE"),
    ("clickhouse:/h", "clickhouse://USER@HOST/DATABASE"), ("clickhouse://", "a host has no name"),
    ("clickhouse://h:0", "a port is a number from 1 to 65535"), ("clickhouse://h,h", "a host is named twice"),
    ("clickhouse://h/a/b", "the name of one database"), ("clickhouse://h?replicas=2", "options are cluster"),
    ("clickhouse://h?timeout=0", "from 1 to 3600"), ("clickhouse://@h", "no user before it"),
  ])
  func `says which part of an address cannot be read`(text: String, said: String) {
    let error = #expect(throws: TelemetryPlace.Invalid.self) { try TelemetryPlace(text) }
    #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
  }

  @Test func `is not begun with when a file of certificates cannot be used`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "ca.pem")
    let place = try TelemetryPlace("clickhouse+https://h/db?ca=\(file.path)")
    let missing = #expect(throws: CollectorError.self) { try place.address(password: "") }
    #expect(missing?.description.contains("\(file.path) cannot be used: No such file") == true)
    try Data("no certificate\n".utf8).write(to: file)
    let empty = #expect(throws: CollectorError.self) { try place.address(password: "") }
    #expect(empty?.description.contains("\(file.path) cannot be used: no certificate") == true)
  }

  @Test func `takes no password where others see it, and tells none`() throws {
    for text in ["clickhouse://ada:hunter22@h/db", "clickhouse+https://:hunter22@h", "clickhouse://ada:hunter22?x@h"] {
      let error = #expect(throws: TelemetryPlace.Invalid.self) { try TelemetryPlace(text) }
      #expect(error?.description.contains("hunter22") == false)
    }
    let error = #expect(throws: TelemetryPlace.Invalid.self) { try TelemetryPlace("clickhouse://ada:hunter22@h/db") }
    #expect(error?.description.contains("CLICKHOUSE_PASSWORD") == true)
  }

  @Test func `finds the password in the environment, or in a file that it names`() throws {
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "password")
    try Data("from the file: ünïcode\n".utf8).write(to: file)
    #expect(try StorePassword.find([:]) == nil)
    #expect(try StorePassword.find(["CLICKHOUSE_PASSWORD": "said", "CLICKHOUSE_PASSWORD_FILE": file.path]) == "said")
    #expect(try StorePassword.find(["CLICKHOUSE_PASSWORD_FILE": file.path]) == "from the file: ünïcode")
    for (name, value) in [
      ("CLICKHOUSE_PASSWORD_FILE", directory.url.path + "/nothing"), ("CLICKHOUSE_PASSWORD_FILE", directory.url.path),
      ("CLICKHOUSE_PASSWORD", "two\nlines"), ("CLICKHOUSE_PASSWORD", String(repeating: "x", count: 5000)),
    ] {
      let error = #expect(throws: TelemetryPlace.Invalid.self) { try StorePassword.find([name: value]) }
      #expect(error?.description.contains(name) == true && error?.description.contains(value) == false)
    }
  }
}
