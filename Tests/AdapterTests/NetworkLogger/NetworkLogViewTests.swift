import AutoMobileHTTP
import AutoMobileNetworkLog
import AutoMobileNetworkLogger
import Foundation
import SwiftUI
import Testing
import UIKit

/// The viewer of the network log, on a screen, reading a real log.
@MainActor @Suite(.serialized) struct NetworkLogViewTests {
  private let directory = NetworkLogDirectory(
    FileManager.default.temporaryDirectory.appendingPathComponent("viewer-\(UUID().uuidString)"))

  private func writer() throws -> NetworkLogWriter {
    var options = NetworkLogOptions()
    options.freeDiskFloor = 0
    return try NetworkLogWriter(directory, owner: "app", options: options)
  }

  private func exchange(_ number: Int, status: Int = 200) -> HTTPExchange {
    var exchange = HTTPExchange(
      id: "\(number)", startedAt: 1_700_000_000_000 + Int64(number), method: number == 3 ? "POST" : "GET",
      url: "https://api.example/item/\(number)")
    exchange.statusCode = status
    exchange.durationMs = 12
    exchange.requestHeaders = ["Accept": "text/\(number)"]
    exchange.responseBody = HTTPBody(bytes: Data(#"{"number":\#(number)}"#.utf8), size: 12)
    exchange.contentType = "application/json"
    var timings = HTTPTimings()
    timings.requestEnd = 3
    timings.responseStart = 9
    timings.responseEnd = 12
    exchange.timings = timings
    return exchange
  }

  /// Waits until the views, which read the log elsewhere, have what they wait for.
  private func until(_ condition: () -> Bool) async -> Bool {
    let deadline = Date() + 90
    while !condition() {
      guard Date() < deadline else { return false }
      try? await Task.sleep(nanoseconds: 2_000_000)
    }
    return true
  }

  private func open(_ screen: SimulatedScreen) async -> Bool {
    screen.simulateAppearance()
    return await until { screen.texts.contains("/item/4") }
  }

  @Test func `the list shows the requests, the newest first, and follows what comes`() async throws {
    let writer = try writer()
    defer {
      writer.closeAndWait()
      try? FileManager.default.removeItem(at: directory.url)
    }
    for number in 1...4 { writer.record(exchange(number, status: number == 2 ? 500 : 200)) }
    let screen = SimulatedScreen(NavigationStack { NetworkLogView(NetworkLog(directory)) })
    #expect(await open(screen))
    func items() -> [String] { screen.texts.filter { $0.hasPrefix("/item/") } }
    #expect(items() == ["/item/4", "/item/3", "/item/2", "/item/1"])
    #expect(screen.title == "4 requests")
    #expect(screen.texts.contains("500") && screen.texts.contains("POST api.example"))
    writer.record(exchange(5))
    #expect(await until { items().first == "/item/5" })
    screen.simulateDisappearance()
  }

  @Test func `search and filters leave what was asked for, and can be taken back`() async throws {
    let writer = try writer()
    defer {
      writer.closeAndWait()
      try? FileManager.default.removeItem(at: directory.url)
    }
    for number in 1...4 { writer.record(exchange(number, status: number == 2 ? 500 : 200)) }
    let screen = SimulatedScreen(NavigationStack { NetworkLogView(NetworkLog(directory)) })
    #expect(await open(screen))
    func items() -> [String] { screen.texts.filter { $0.hasPrefix("/item/") } }
    try screen.simulateTyping("text/3", into: "URL, headers, body, tracer ID")
    #expect(await until { items() == ["/item/3"] })
    try screen.simulateTyping("", into: "URL, headers, body, tracer ID")
    #expect(await until { items().count == 4 })
    try screen.simulateTap("Errors only")
    #expect(await until { items() == ["/item/2"] })
    #expect(try screen.isOn("Errors only"))
    try screen.simulateTap("All requests")
    #expect(await until { items().count == 4 })
    try screen.simulateTap("POST")
    #expect(await until { items() == ["/item/3"] })
    #expect(try screen.isOn("POST"))
    screen.simulateDisappearance()
  }

  @Test func `what is under way, and what never ended, says so, and can be filtered`() async throws {
    let writer = try writer()
    defer {
      writer.closeAndWait()
      try? FileManager.default.removeItem(at: directory.url)
    }
    for number in 1...3 { writer.record(exchange(number)) }
    writer.begin(exchange(4))
    let screen = SimulatedScreen(NavigationStack { NetworkLogView(NetworkLog(directory)) })
    #expect(await open(screen))
    func items() -> [String] { screen.texts.filter { $0.hasPrefix("/item/") } }
    #expect(screen.texts.contains("under way") && screen.title == "4 requests")
    try screen.simulateTap("Unfinished only")
    #expect(await until { items() == ["/item/4"] })
    #expect(try screen.isOn("Unfinished only"))
    try screen.simulateTap("/item/4")
    #expect(await until { screen.texts.contains("under way: no response yet") })
    try screen.simulateBack()
    try screen.simulateTap("All requests")
    #expect(await until { items().count == 4 })
    // The process is this one; what it can do is to stop recording.
    writer.closeAndWait()
    #expect(await until { screen.texts.contains("the app ended first") && !screen.texts.contains("under way") })
    screen.simulateDisappearance()
  }

  @Test func `a request's page tells all of it, copies it, and leads back`() async throws {
    let writer = try writer()
    defer {
      writer.closeAndWait()
      try? FileManager.default.removeItem(at: directory.url)
    }
    for number in 1...4 { writer.record(exchange(number)) }
    let screen = SimulatedScreen(NavigationStack { NetworkLogView(NetworkLog(directory)) })
    #expect(await open(screen))
    try screen.simulateTap("/item/3")
    #expect(await until { screen.texts.contains("https://api.example/item/3") })
    #expect(screen.title == "/item/3")
    for text in ["Timing", "wait", "Request headers", "Accept", "text/3", "Response body", "{\n  \"number\": 3\n}"] {
      #expect(screen.texts.contains(text), "\(text)")
    }
    try screen.simulateTap("Copy as cURL")
    #expect(UIPasteboard.general.string?.contains("https://api.example/item/3") == true)
    try screen.simulateTap("Share as text")
    let shared = try #require(screen.presentedController as? UIActivityViewController)
    #expect((shared.simulatedItems.first as? String)?.contains("text/3") == true)
    screen.simulateDismissal()
    #expect(screen.presentedController == nil)
    try screen.simulateBack()
    #expect(screen.texts.contains("/item/4"))
    screen.simulateDisappearance()
  }
}
