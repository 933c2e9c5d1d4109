import Foundation
import TestTools
import Testing

@testable import AutoMobileNetworkLog

@Suite struct NetworkLogSwitchTests {
  @Test func `what the companion sets, the app finds`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    // The directory is made when it is missing.
    let directory = NetworkLogDirectory(log.directory.url.appendingPathComponent("not/there/yet"))
    let companion = NetworkLogSwitch(directory)
    let app = NetworkLogSwitch(directory)
    #expect(app.state() == .off)
    try companion.turnOn()
    #expect(app.state() == .on(until: nil) && app.isOn)
    try companion.turnOff()
    #expect(app.state() == .off)
    let end = Date(timeIntervalSince1970: 1_700_000_000)
    try companion.turnOn(until: end)
    #expect(app.state(at: end - 1) == .on(until: end))
    #expect(app.state(at: end) == .off && !app.isOn)
  }

  @Test(arguments: [
    "", " ", "{", "true", "1", "null", "[]", "{}", #"{"isOn":true}"#, #"{"version":2,"isOn":true}"#,
    #"{"version":1,"isOn":"true"}"#, #"{"version":1,"isOn":1}"#, #"{"version":1,"isOn":true,"until":"never"}"#,
    #"{"version":1,"isOn":true,"until":1e99}"#, "\u{0}\u{0}\u{0}", String(repeating: "[", count: 4000),
    #"{"version":1,"isOn":true,"x":""# + String(repeating: "y", count: 5000) + "\"}",
  ])
  func `a file that is damaged means off`(contents: String) throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    try Data(contents.utf8).write(to: log.directory.switchFile)
    let state = NetworkLogSwitch(log.directory).state()
    guard case .damaged = state else {
      Issue.record("\(state)")
      return
    }
    #expect(!state.isOn)
    try NetworkLogSwitch(log.directory).turnOn()
    #expect(NetworkLogSwitch(log.directory).isOn, "and it is mended by setting it")
  }

  @Test func `what is no file means off, and nobody waits for it`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let file = log.directory.switchFile
    let good = log.directory.url.appendingPathComponent("elsewhere")
    try Data(#"{"version":1,"isOn":true}"#.utf8).write(to: good)
    let makers: [() throws -> Void] = [
      { try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false) },
      { try FileManager.default.createSymbolicLink(at: file, withDestinationURL: good) },
      { if mkfifo(file.path, 0o600) != 0 { throw POSIXError(.EIO) } },
    ]
    for make in makers {
      try? FileManager.default.removeItem(at: file)
      try make()
      #expect(!NetworkLogSwitch(log.directory).isOn)
    }
    #expect(NetworkLogSwitch(NetworkLogDirectory(good)).state() == .off)
    #expect(throws: (any Error).self) { try NetworkLogSwitch(NetworkLogDirectory(good)).turnOn() }
  }

  @Test func `random changes to the file turn nothing on that was off, and end nobody`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let flag = NetworkLogSwitch(log.directory)
    try flag.turnOff()
    let good = try Data(contentsOf: log.directory.switchFile)
    var random = SeededRandom(5)
    for _ in 0..<500 {
      var bytes = good
      let index = Int.random(in: bytes.indices, using: &random)
      bytes[index] = UInt8.random(in: 0...255, using: &random)
      if Bool.random(using: &random) { bytes = bytes.prefix(index) }
      try bytes.write(to: log.directory.switchFile)
      #expect(!flag.isOn)
    }
  }
}
