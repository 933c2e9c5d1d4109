#if os(macOS) || os(Linux)
import AutoMobileSupport
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import AutoMobileHTTP
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Bodies that Apple's loading system hands over as streams, whatever the app gave it.
@Suite struct HandedOverBodyTests {
  /// What `/echo` tells of the request that it got.
  private struct Echo: Decodable {
    var method: String
    var headers: [String: String]
    var length: Int
  }

  private static let tooLong = HandedOverBody.limit + 100_000

  private func upload(
    _ body: Data, to path: String, at server: OddServer, _ system: LoadingSystem = LoadingSystem()
  ) async throws -> (events: [String], body: Data) {
    var request = URLRequest(url: server.url(path))
    request.httpMethod = "POST"
    request.httpBody = body
    system.load(request)
    #expect(await eventually { system.isOver })
    return system.seen.withLock { ($0.events, $0.body) }
  }

  private func answeringWithPassword() -> LoadingSystem {
    LoadingSystem { $0.sender?.use(URLCredential(user: "user", password: "secret", persistence: .none), for: $0) }
  }

  // MARK: As if the SDK were not there

  @Test(arguments: [1, 100_000, HandedOverBody.limit])
  func `a body that the app gave as data is sent with its length`(_ size: Int) async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let (events, answer) = try await upload(Data(repeating: 7, count: size), to: "/echo", at: server)
      #expect(events.last == "finished")
      let echo = try JSONDecoder().decode(Echo.self, from: answer)
      #expect(echo.length == size && echo.headers["content-length"] == String(size))
      #expect(echo.headers["transfer-encoding"] == nil)
      #expect(await log.first(1).first?.requestBody?.size == size)
    }
  }

  @Test(arguments: ["307", "308"])
  func `a body is sent again where a redirect asks for it`(_ status: String) async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let (events, answer) = try await upload(Data("again".utf8), to: "/redirect/2/\(status)", at: server)
      #expect(events.suffix(2) == ["response 200", "finished"])
      let echo = try JSONDecoder().decode(Echo.self, from: answer)
      #expect(echo.method == "POST" && echo.length == 5)
    }
  }

  @Test func `a body is sent again with the password that was asked for`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let (events, answer) = try await upload(Data("again".utf8), to: "/basic", at: server, answeringWithPassword())
      #expect(events.suffix(2) == ["response 200", "finished"])
      #expect(answer.suffix(7) == Data("welcome".utf8))
    }
  }

  @Test func `a rule that looks into bodies sees it`() async throws {
    final class Responder: MockResponding {
      let needsBody = true
      let seen = Locked<[Data?]>([])
      func answer(_ request: URLRequest, body: Data?) -> MockAnswer? {
        seen.withLock { $0.append(body) }
        return nil
      }
    }
    let server = try await OddServer()
    let responder = Responder()
    NetworkInterception.shared.mockResponder = responder
    defer { NetworkInterception.shared.mockResponder = nil }
    _ = try await upload(Data("looked into".utf8), to: "/echo", at: server)
    #expect(responder.seen.withLock { $0 } == [Data("looked into".utf8)])
  }

  // MARK: What is not kept in memory

  @Test func `a body above the limit is streamed whole, once`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let body = Data((0..<Self.tooLong).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let (events, answer) = try await upload(body, to: "/echo", at: server)
      #expect(events.last == "finished")
      let echo = try JSONDecoder().decode(Echo.self, from: answer)
      #expect(echo.length == Self.tooLong && echo.headers["transfer-encoding"] == "chunked")
      #expect(await log.first(1).first?.requestBody?.size == Self.tooLong)
    }
  }

  /// Apple's sessions ask their delegate for the stream that a second request needs; Linux's send what is left of the first.
  @Test func `of a body above the limit there is no second stream`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let system = LoadingSystem()
      _ = try await upload(Data(repeating: 7, count: Self.tooLong), to: "/sink", at: server, system)
      let load = try #require(system.lastLoad)
      let answer = await withCheckedContinuation { continuation in
        load.needsBodyStream { stream in continuation.resume(returning: stream == nil) }
      }
      #expect(answer)
    }
  }

  // MARK: Streams of the app's

  /// Has moments without bytes, like one end of a pair whose other end the app writes to.
  private final class LiveStream: InputStream {
    private var pieces: [Data?]
    private var status = Stream.Status.notOpen
    private let failure: (any Error)?

    /// - Parameter pieces: nil is a moment without bytes.
    init(_ pieces: [Data?], failure: (any Error)? = nil) {
      self.pieces = pieces
      self.failure = failure
      super.init(data: Data())
    }

    override func open() { status = .open }
    override func close() { status = .closed }
    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { status == .error ? failure : nil }
    override var hasBytesAvailable: Bool {
      if let first = pieces.first, first == nil {
        pieces.removeFirst()
        return false
      }
      return status == .open
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
      guard let first = pieces.first, let piece = first else {
        status = failure == nil ? .atEnd : .error
        return failure == nil ? 0 : -1
      }
      let count = min(length, piece.count)
      piece.copyBytes(to: buffer, count: count)
      pieces[0] = piece.dropFirst(count)
      if count == piece.count { pieces.removeFirst() }
      return count
    }
  }

  private func read(_ stream: InputStream) async throws -> HostRequest {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
    request.httpBodyStream = stream
    let read = HostRequest.handedOver(request)
    return await withCheckedContinuation { continuation in
      HandedOverBody.read(read) { continuation.resume(returning: $0) }
    }
  }

  @Test func `nobody waits for a stream that the app has yet to write`() async throws {
    let read = try await read(LiveStream([Data("first ".utf8), nil, Data("second".utf8)]))
    guard case .begun(let beginning, let rest) = read.body else {
      Issue.record("\(read.body)")
      return
    }
    #expect(beginning == Data("first ".utf8))
    let stream = HostRequest.tapped(rest, after: beginning, nil)
    stream.open()
    var bytes = Data()
    var piece = [UInt8](repeating: 0, count: 4)
    while case let count = stream.read(&piece, maxLength: piece.count), count > 0 { bytes += piece[..<count] }
    #expect(bytes == Data("first second".utf8))
  }

  @Test func `a stream of the app's reaches the server whole`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let system = LoadingSystem()
      var request = URLRequest(url: server.url("/echo"))
      request.httpMethod = "POST"
      request.httpBodyStream = LiveStream([Data("first ".utf8), nil, Data("second".utf8)])
      system.load(request)
      #expect(await eventually { system.isOver })
      let echo = try JSONDecoder().decode(Echo.self, from: system.seen.withLock { $0.body })
      #expect(echo.length == 12)
    }
  }

  @Test func `a stream that cannot be read ends the request with its error`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    await log.observing {
      let system = LoadingSystem()
      var request = URLRequest(url: server.url("/echo"))
      request.httpMethod = "POST"
      request.httpBodyStream = LiveStream([Data("some".utf8)], failure: URLError(.noPermissionsToReadFile))
      system.load(request)
      #expect(await eventually { system.isOver })
      let expected = "failed \(NSURLErrorDomain) \(URLError.noPermissionsToReadFile.rawValue)"
      #expect(system.seen.withLock { $0.events } == [expected])
      #expect(await log.first(1).first?.error?.code == URLError.noPermissionsToReadFile.rawValue)
    }
  }
}
#endif
