import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Listening for asks` {
  private static func wait(for count: Int, _ held: HeldQuestions) async throws {
    let deadline = ContinuousClock.now + .seconds(90)
    while held.count != count {
      try #require(ContinuousClock.now < deadline, "\(held.count) are held")
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// As an app asks that lets nobody know when it goes.
  private static func question(_ collector: RunningCollector, launch: String, tag: String) async throws -> RawSocket {
    let socket = try RawSocket(port: collector.port)
    await socket.send(
      """
      GET /sdk-commands?bundleId=\(RunningCollector.shop)&launchId=\(launch)&config=\(tag)&wait=50 HTTP/1.1\r
      Host: localhost\r
      X-AutoMobile-Asker: device=\(launch)\r
      \r

      """)
    return socket
  }

  @Test func `an app that finds no place is not told to go on asking, and those that had one are`() async throws {
    try await RunningCollector.with {
      $0.limits.connections = 16
    } _: { collector in
      let held = collector.collector.held
      let tag = try await collector.tag(nil)
      #expect(try await collector.tell("device=d").headers["X-AutoMobile-Listen"] == [held.term])
      var sockets: [RawSocket] = []
      for number in 0..<held.mostOfApp {
        sockets.append(try await Self.question(collector, launch: "l-\(number)", tag: tag))
      }
      try await Self.wait(for: held.mostOfApp, held)
      let late = try await collector.listen("device=d", tag: tag, launch: "late")
      #expect(late.status == 204 && late.headers["X-AutoMobile-Listen"].isEmpty)
      #expect(try await collector.tell("device=d").headers["X-AutoMobile-Listen"].isEmpty)
      let other = try await collector.tell("device=d", bundle: "dev.example.other")
      #expect(other.headers["X-AutoMobile-Listen"] == [held.term])
      // The collector stops: the next one has places for the same apps.
      held.finish()
      for socket in sockets {
        let head = await socket.readHead()
        #expect(head.contains { $0.lowercased() == "x-automobile-listen: \(held.term)" }, "\(head)")
      }
    }
  }

  @Test func `who has gone gives its place back at once`() async throws {
    try await RunningCollector.with {
      $0.limits.connections = 16
    } _: { collector in
      let held = collector.collector.held
      let tag = try await collector.tag(nil)
      var sockets: [RawSocket] = []
      for number in 0..<held.mostOfApp {
        sockets.append(try await Self.question(collector, launch: "l-\(number)", tag: tag))
      }
      try await Self.wait(for: held.mostOfApp, held)
      #expect(sockets.count == held.mostOfApp)
      let start = ContinuousClock.now
      sockets = []
      try await Self.wait(for: 0, held)
      #expect(ContinuousClock.now - start < .seconds(15))
    }
  }

  @Test(arguments: ["&config=TAG", ""])
  func `an ask wakes no build that takes commands and is not concerned`(known: String) async throws {
    try await RunningCollector.with { collector in
      let tag = try await collector.tag(nil)
      let config = known.replacing("TAG", with: tag)
      let start = ContinuousClock.now
      async let answer = collector.get(
        "/sdk-commands?bundleId=dev.example.other&launchId=other-1&commands=ping&wait=4\(config)")
      try await collector.wait(for: "/api/commands") { !$0["listeners"].array.isEmpty }
      for number in 0..<5 {
        _ = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"u\#(number)","reason":"r"}"#)
      }
      #expect(try await answer.status == 204)
      #expect(ContinuousClock.now - start >= .seconds(3.9))
      // A change of what it is told does, whether or not it says what it has.
      async let late = collector.get(
        "/sdk-commands?bundleId=dev.example.other&launchId=other-2&commands=ping&wait=30\(config)")
      try await collector.wait(for: "/api/commands") { answer in
        answer["listeners"].array.contains { $0["launchId"].string == "other-2" }
      }
      let changed = ContinuousClock.now
      try await collector.put("dev.example.other", #"{"recording":{"enabled":true}}"#)
      #expect(try await late.status == 204)
      #expect(ContinuousClock.now - changed < .seconds(20))
    }
  }
}
