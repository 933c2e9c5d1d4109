#if os(macOS) || os(Linux)
import AutoMobileSupport
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import AutoMobileHTTP
import AutoMobileNetworkLog
import Foundation
import RequestCatcher
import Testing

@testable import AutoMobileNetworkLogger

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The app's side of the log: when it records, what, and that it is silent otherwise.
@Suite struct NetworkLoggerTests {
  private func files(in directory: NetworkLogDirectory) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: directory.url.path).filter { $0 != "switch.json" }
  }

  @Test func `production is the default, and then it is off whatever the switch says`() throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let logger = AutoMobileNetworkLogger()
    #expect(logger.status == .notStarted)
    logger.start(NetworkLoggerConfiguration(directory))
    #expect(logger.status == .off(.production))
    #expect(try files(in: directory).isEmpty)
  }

  @Test func `what keeps it off is said, and no file is made`() throws {
    let directory = try NetworkLogDirectory.temporary(isOn: false)
    defer { try? FileManager.default.removeItem(at: directory.url) }
    func status(_ change: (inout NetworkLoggerConfiguration) throws -> Void) throws -> NetworkLoggerStatus {
      var configuration = NetworkLoggerConfiguration.recording(into: directory)
      try change(&configuration)
      let logger = AutoMobileNetworkLogger()
      logger.start(configuration)
      #expect(try files(in: directory).isEmpty)
      return logger.status
    }
    #expect(try status { _ in } == .off(.switchedOff))
    #expect(try status { $0.directory = nil } == .off(.noDirectory))
    try NetworkLogSwitch(directory).turnOn()
    #expect(try status { $0.isAutomation = true } == .off(.automation))
    #expect(try status { $0.isProduction = true } == .off(.production))
    try NetworkLogSwitch(directory).turnOn(until: Date() - 1)
    #expect(try status { _ in } == .off(.switchedOff))
    try Data("x".utf8).write(to: directory.url.appendingPathComponent("switch.json"))
    guard case .off(.damagedSwitch) = try status({ _ in }) else {
      Issue.record("a damaged switch is off")
      return
    }
  }

  @Test(arguments: [
    ("1", true), ("YES", true), ("true", true), ("", false), ("0", false), ("no", false), ("False", false),
  ])
  func `the environment says whether tests drive the app`(value: String, isOn: Bool) {
    #expect(Automation.isOn(in: ["AUTOMATION": value]) == isOn)
    #expect(!Automation.isOn(in: [:]))
  }

  private func exchange() -> HTTPExchange {
    var exchange = HTTPExchange(
      id: "1", startedAt: 1_700_000_000_000, method: "POST",
      url: "https://api.example/graphql?access_token=planted-1&x=1")
    exchange.requestHeaders = [
      "Authorization": "Bearer planted-2", "Cookie": "sid=planted-3", "X-Conversation-Id": "conversation-7",
      "Content-Type": "application/json",
    ]
    let body = #"{"query":"query Me { me }","operationName":"Me","variables":{"password":"planted-4"}}"#
    exchange.requestBody = HTTPBody(bytes: Data(body.utf8), size: body.utf8.count)
    exchange.statusCode = 200
    exchange.responseHeaders = ["Set-Cookie": "sid=planted-5"]
    let answer = #"{"token":"planted-6","name":"Ada"}"#
    exchange.responseBody = HTTPBody(bytes: Data(answer.utf8), size: answer.utf8.count)
    exchange.contentType = "application/json"
    return exchange
  }

  @Test func `what is recorded has bodies and names, and its secrets are nowhere on disk`() throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    var configuration = NetworkLoggerConfiguration.recording(into: directory)
    configuration.tracerHeaders = ["X-Trace", "X-CONVERSATION-ID"]
    let recorder = NetworkLogRecorder(
      try NetworkLogWriter(directory, owner: "app", options: configuration.options), configuration)
    recorder.exchangeEnded(exchange())
    let frame = HTTPWebSocketFrame(
      timestamp: 1, url: "wss://api.example/?token=planted-7", direction: .sent, kind: .text,
      payload: HTTPBody(bytes: Data(#"{"secret":"planted-8","to":"Ada"}"#.utf8), size: 33), exchangeID: "1")
    recorder.framePassed(frame)
    recorder.writer.closeAndWait()
    let log = NetworkLog(directory)
    let recorded = try #require(log.page().entries.first.flatMap { log.exchange($0.id) })
    #expect(recorded.tracerId == "conversation-7" && recorded.graphQLOperation == "Me")
    #expect(recorded.responseBody?.text?.contains("Ada") == true)
    #expect(recorded.requestHeaders?["Authorization"] == HTTPRedaction.mark)
    #expect(log.frames(of: recorded).first?.payload?.text?.contains("Ada") == true)
    let names = try files(in: directory)
    #expect(names.count >= 2)
    for name in names {
      let url = directory.url.appendingPathComponent(name)
      guard let bytes = try? Data(contentsOf: url) else { continue }
      #expect(bytes.range(of: Data("planted".utf8)) == nil, "\(name)")
    }
  }

  @Test func `hosts that the app does not want are not looked at`() throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    var configuration = NetworkLoggerConfiguration.recording(into: directory)
    configuration.ignoredHosts = ["Ads.example", ".tracker.example"]
    configuration.options.bodyLimit = 99
    let recorder = NetworkLogRecorder(try NetworkLogWriter(directory, owner: "app"), configuration)
    defer { recorder.writer.closeAndWait() }
    func limit(_ url: String) throws -> Int? {
      recorder.interest(in: URLRequest(url: try #require(URL(string: url))))?.bodyLimit
    }
    #expect(try limit("https://ads.example/x") == nil && limit("https://a.TRACKER.example/x") == nil)
    #expect(try limit("https://tracker.example/") == 99 && limit("https://api.example/") == 99)
  }

  @Test func `while the SDK is switched off nothing is looked at, and nothing is written`() throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let isOn = Locked(false)
    let configuration = NetworkLoggerConfiguration.recording(into: directory)
    let recorder = NetworkLogRecorder(
      try NetworkLogWriter(directory, owner: "app", options: configuration.options), configuration,
      isAllowed: { isOn.withLock { $0 } })
    let request = URLRequest(url: try #require(URL(string: "https://api.example/")))
    func live() {
      recorder.exchangeBegan(exchange())
      recorder.exchangeEnded(exchange())
      recorder.framePassed(
        HTTPWebSocketFrame(timestamp: 1, url: "wss://api.example/", direction: .sent, kind: .text, exchangeID: "1"))
    }
    live()
    #expect(recorder.interest(in: request) == nil)
    #expect(recorder.writer.counts.recorded == 0 && recorder.writer.counts.lost == 0)
    isOn.withLock { $0 = true }
    live()
    #expect(recorder.interest(in: request) != nil && recorder.writer.counts.recorded > 0)
    recorder.writer.closeAndWait()
  }

  @Test func `started while the SDK is off it makes no file, and logs when that is on`() async throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let server = try RequestCatcher(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
    defer { server.stop() }
    let sdk = AutoMobileSDK { SdkEnvironment() }
    sdk.setEnabled(false)
    let logged = LoggedSession(.recording(into: directory), sdk: sdk)
    defer { logged.end() }
    for path in ["off", "on"] {
      if path == "on" { sdk.setEnabled(true) }
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/\(path)"))
      _ = try await logged.session.data(from: url)
      await NetworkInterception.shared.settle(within: 60)
      if path == "off" { #expect(try files(in: directory).isEmpty) }
    }
    // What was recorded meanwhile is moved over.
    var paths: [String?] { NetworkLog(directory).page().entries.map(\.exchange.path) }
    let deadline = Date() + 60
    while paths != ["/on"], Date() < deadline { try await Task.sleep(nanoseconds: 10_000_000) }
    #expect(paths == ["/on"])
  }

  @Test func `when the SDK has been shut down nothing more is written`() async throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let server = try RequestCatcher(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
    defer { server.stop() }
    let sdk = AutoMobileSDK {
      var environment = SdkEnvironment()
      environment.defaultEndpoint = nil
      return environment
    }
    defer { sdk.reset() }
    let storage = StorageLocation.directory(directory.url.appendingPathComponent("recordings"))
    sdk.initialize(
      bundleId: "com.example", configuration: AutoMobileConfiguration(storage: storage), integrations: [])
    let logged = LoggedSession(.recording(into: directory), sdk: sdk)
    defer { logged.end() }
    for path in ["before", "after"] {
      if path == "after" { sdk.shutdown() }
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/\(path)"))
      _ = try await logged.session.data(from: url)
      await NetworkInterception.shared.settle(within: 60)
    }
    #expect(NetworkLog(directory).page().entries.map(\.exchange.path) == ["/before"])
  }

  @Test func `requests of a real session are in the log, with what came back, for a reader elsewhere`() async throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let server = try RequestCatcher(
      answer: "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nX-Trace: trace-1\r\nContent-Length: 12\r\n"
        + "Connection: close\r\n\r\n{\"id\": 4711}")
    defer { server.stop() }
    var settings = NetworkLoggerConfiguration.recording(into: directory)
    settings.tracerHeaders = ["X-Trace"]
    let logged = LoggedSession(settings)
    defer { logged.end() }
    let (logger, session) = (logged.logger, logged.session)
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/orders?q=1"))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"item":"shoes","password":"planted"}"#.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let (data, response) = try await session.data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == #"{"id": 4711}"#)
    #expect((response as? HTTPURLResponse)?.statusCode == 201)

    await NetworkInterception.shared.settle(within: 60)
    let log = NetworkLog(directory)
    let entry = try #require(log.page().entries.first)
    let recorded = try #require(log.exchange(entry.id))
    #expect(log.count() == 1 && recorded.method == "POST" && recorded.url == url.absoluteString)
    #expect(recorded.statusCode == 201 && recorded.responseBody?.text == #"{"id": 4711}"#)
    #expect(recorded.requestBody?.text?.contains("shoes") == true && recorded.tracerId == "trace-1")
    #expect(recorded.requestBody?.text?.contains("planted") == false)
    #expect(logger.status == .recording(recorded: 1, lost: 0, failure: nil))

    // The command line makes the same request again.
    _ = server.take()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", CurlExport.command(recorded)]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let answer = await Task.detached { try? output.fileHandleForReading.readToEnd() }.value
    #expect(answer == data)
    let again = try #require(server.take().first)
    #expect(again.requestLine == "POST /orders?q=1 HTTP/1.1" && again.body == recorded.requestBody?.bytes)
  }

  /// What replay does, for as long as it records.
  private final class Replay: Sendable {}

  @Test(arguments: [
    ["replay", "log", "-replay"], ["log", "replay", "-replay"], ["replay", "log", "app", "-app", "-replay"],
    ["app", "log", "log", "-app"], ["replay", "replay", "log", "-replay"],
  ])
  func `requests are logged after replay, and the app, have let go of the interception`(_ steps: [String]) async throws
  {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let server = try RequestCatcher(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
    defer { server.stop() }
    let logger = AutoMobileNetworkLogger()
    let network = AutoMobileNetwork(isDebugBuild: true)
    let replay = Replay()
    defer { network.reset() }
    for step in steps {
      switch step {
      case "log": logger.start(.recording(into: directory))
      case "app": network.startInterception()
      case "-app": network.stopInterception()
      case "replay": network.startInterception(for: replay)
      default: network.stopInterception(for: replay)
      }
    }
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/after"))
    _ = try await URLSession.shared.data(from: url)
    await NetworkInterception.shared.settle(within: 60)
    #expect(NetworkLog(directory).page().entries.map(\.exchange.path) == ["/after"])
    logger.stop()
    #expect(!NetworkInterception.shared.isActive, "the last one switches off")
  }

  @Test func `it starts once, tells what it has recorded, and stops`() throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let logger = AutoMobileNetworkLogger()
    logger.start(NetworkLoggerConfiguration.recording(into: directory))
    logger.start(NetworkLoggerConfiguration.recording(into: directory))
    #expect(logger.status == .recording(recorded: 0, lost: 0, failure: nil))
    #expect(NetworkInterception.shared.isActive)
    logger.stop()
    logger.stop()
    #expect(logger.status == .notStarted)
    #expect(NetworkLog(directory).count() == 0)
  }
}
#endif
