import AsyncHTTPClient
import AutoMobileTLS
import NIOCore
import NIOHTTP1

/// Asks ClickHouse over HTTP. A value: others for some of the hosts share its connections.
///
/// Who has made one from an address has to call ``shutdown()``.
package struct ClickHouseClient: Sendable {
  package struct Limits: Sendable {
    /// Of an answer, in bytes.
    package var answer = 64 << 20
    package var connect: Duration = .seconds(5)

    package init() {}
  }

  package let address: ClickHouseAddress
  package var limits: Limits
  /// The servers put values in by themselves. Releases since 2019 do; Debian's 18.16 does not.
  package var knowsParameters = false
  /// The servers have settings by which every answer is cut, or means something else. Releases since 2021 do.
  package var knowsLimits = false
  /// Tried one after the other, from the one that last answered.
  package let hosts: [ClickHouseAddress.Host]
  private let http: HTTPClient
  private let tls: ClientTLS
  private let turn: HostTurn

  package init(_ address: ClickHouseAddress, limits: Limits = Limits()) {
    self.address = address
    self.limits = limits
    hosts = address.hosts
    turn = HostTurn()
    tls = ClientTLS(address.tls)
    var configuration = HTTPClient.Configuration()
    // A redirect would take the credentials to whoever is named in it.
    configuration.redirectConfiguration = .disallow
    configuration.httpVersion = .http1Only
    configuration.timeout.connect = TimeAmount(limits.connect)
    // Shorter than the server keeps connections (3 seconds): one that is just being closed costs an attempt.
    configuration.connectionPool.idleTimeout = .seconds(2)
    // Who is away is told at once: there may be another host, and who tries again decides when.
    configuration.connectionPool.retryConnectionEstablishment = false
    if address.isCompressed { configuration.decompression = .enabled(limit: .size(limits.answer)) }
    http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  private init(_ other: ClickHouseClient, hosts: [ClickHouseAddress.Host]) {
    address = other.address
    limits = other.limits
    knowsParameters = other.knowsParameters
    knowsLimits = other.knowsLimits
    http = other.http
    tls = other.tls
    self.hosts = hosts
    turn = HostTurn()
  }

  /// The same for some hosts only.
  package func only(_ hosts: [ClickHouseAddress.Host]) -> ClickHouseClient { ClickHouseClient(self, hosts: hosts) }

  /// A question changes nothing, whatever it is, and ends by itself on a server whom nobody waits for any more.
  private var reading: [(String, String)] {
    let time = ("max_execution_time", "\(address.timeout.components.seconds + 1)")
    return [("readonly", "2"), time] + Self.whole + (knowsLimits ? Self.wholeOfCurrent : [])
  }

  /// An answer is whole or is none, and means what the statement says, whatever the operator has set.
  private static let whole: [(String, String)] =
    [("skip_unavailable_shards", "0"), ("join_use_nulls", "0")]
    + [
      "read", "group_by", "sort", "result", "timeout", "set", "join", "transfer", "distinct",
    ].map { ("\($0)_overflow_mode", "throw") }

  private static let wholeOfCurrent = [
    "limit", "offset", "aggregate_functions_null_for_empty", "transform_null_in", "prefer_column_name_to_alias",
  ].map { ($0, "0") }

  package func shutdown() async throws { try await http.shutdown() }

  /// The same for a thread that may wait, which is none of those that move bytes.
  package func shutdownNow() throws { try http.syncShutdown() }

  // MARK: Asking

  /// Rows in RowBinary.
  ///
  /// - Throws: ``ClickHouseError``.
  package func rows<Row: Sendable>(
    _ sql: SQL, settings: [(String, String)] = [],
    _ read: @Sendable (inout RowBinaryReader) throws -> Row
  ) async throws -> [Row] {
    return try await inTurn { host in
      let name = Self.questionName()
      let question = ClickHouseQuestion(
        sql.rendered(parameters: knowsParameters), format: "RowBinary",
        settings: reading + settings + [("query_id", name)])
      let answer: Answer
      do {
        answer = try await send(question, to: host)
      } catch {
        let isOver = (error as? ClickHouseError).map { $0.kind == .timeout || $0.kind == .tooLarge }
        if isOver ?? (error is CancellationError) { abandon(name, at: host) }
        throw error
      }
      var reader = RowBinaryReader(answer.body)
      do {
        return try reader.rows(read)
      } catch let error as RowBinaryError {
        if let exception = AnswerTail.exception(in: answer.body, answer.headers, isSuspicious: true) {
          throw self.error(exception, host)
        }
        throw ClickHouseError(.answer, error.description, host: host.description)
      }
    }
  }

  /// What answers nothing: definitions, settings. Only for what may be done twice, since that is not known of a connection that
  /// ended.
  package func run(_ sql: SQL, settings: [(String, String)] = []) async throws {
    let question = ClickHouseQuestion(sql.rendered(parameters: knowsParameters), format: nil, settings: settings)
    try await inTurn { host in _ = try await send(question, to: host) }
  }

  /// The same for what changes tables, which takes no parameters everywhere.
  package func change(_ sql: SQL) async throws {
    let question = ClickHouseQuestion(sql.rendered(parameters: false), format: nil, settings: [])
    try await inTurn { host in _ = try await send(question, to: host) }
  }

  /// Puts rows in, once: who tries again has to send the same bytes.
  ///
  /// - Returns: when the server has confirmed all of them.
  package func insert(_ rows: ByteBuffer, _ sql: SQL, settings: [(String, String)] = []) async throws {
    let question = ClickHouseQuestion(
      sql.rendered(parameters: false), format: "RowBinary", rows: rows, settings: settings)
    guard let host = turn.order(hosts).first else { throw ClickHouseError(.setup, "there is no host to ask") }
    do {
      let answer = try await send(question, to: host)
      // An insert answers nothing. What says something has not understood it.
      guard answer.body.readableBytes == 0 else {
        if let exception = AnswerTail.exception(in: answer.body, answer.headers, isSuspicious: true) {
          throw error(exception, host)
        }
        throw ClickHouseError(.answer, "it answers something to an insert", host: host.description)
      }
    } catch let error as ClickHouseError where error.isOfHost {
      turn.passOver(host, hosts)
      throw error
    }
  }

  package func version() async throws -> ClickHouseVersion {
    let text = try await rows("SELECT version()") { try $0.string() }.first ?? ""
    guard let version = ClickHouseVersion(text) else {
      throw ClickHouseError(.answer, "its version cannot be read", host: hosts.first?.description)
    }
    return version
  }

  // MARK: Hosts

  private func inTurn<Result: Sendable>(
    _ ask: @Sendable (ClickHouseAddress.Host) async throws -> Result
  ) async throws -> Result {
    let order = turn.order(hosts)
    var last = ClickHouseError(.setup, "there is no host to ask")
    var untrusted: Set<ClickHouseAddress.Host> = []
    // The first once more at the end: its connection may have been one that was just being closed.
    for host in order + order.prefix(1) where !untrusted.contains(host) {
      do {
        return try await ask(host)
      } catch let error as ClickHouseError where error.isOfHost {
        last = error
        // What its certificate is, it is a moment later.
        if error.kind == .untrusted { untrusted.insert(host) }
        turn.passOver(host, hosts)
        try Task.checkCancellation()
      }
    }
    throw last
  }

  // MARK: One exchange

  private struct Answer {
    var headers: HTTPHeaders
    var body: ByteBuffer
  }

  private func send(_ question: ClickHouseQuestion, to host: ClickHouseAddress.Host) async throws -> Answer {
    var request = HTTPClientRequest(
      url: "\(address.isSecure ? "https" : "http")://\(host)/?\(question.query(address))")
    request.method = .POST
    do {
      // With each request: connections of before go on to be used only for as long as the same is trusted.
      request.tlsConfiguration = try tls.configuration()
    } catch {
      throw ClickHouseError(.setup, "\(error)", host: host.description)
    }
    request.headers.add(name: "X-ClickHouse-User", value: address.user)
    if !address.password.isEmpty { request.headers.add(name: "X-ClickHouse-Key", value: address.password) }
    // The fastest level: rows are alike, and who sends them has other things to do.
    if address.isCompressed, question.isLarge, let packed = Gzip.packed(question.body, level: 1, memory: 8) {
      request.headers.add(name: "Content-Encoding", value: "gzip")
      request.body = .bytes(packed)
    } else {
      request.body = .bytes(question.body)
    }
    do {
      return try await Deadline.run(within: address.timeout) { [request] in try await exchange(request, host) }
    } catch let error as ClickHouseError {
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch is Deadline.Passed {
      throw ClickHouseError(.timeout, "\(address.timeout) are over", host: host.description)
    } catch {
      if address.isSecure,
        let words = await TLSFault.words(error, host: host.name, port: host.port, tls: tls)
      {
        throw ClickHouseError(.untrusted, words, host: host.description)
      }
      var explained = Self.explained(error, host)
      if address.isSecure { explained.message += TLSFault.hint(error, tls: tls) }
      throw explained
    }
  }

  private func exchange(_ request: HTTPClientRequest, _ host: ClickHouseAddress.Host) async throws -> Answer {
    let response = try await http.execute(request, timeout: TimeAmount(address.timeout))
    var body = ByteBuffer()
    do {
      for try await part in response.body {
        guard body.readableBytes + part.readableBytes <= limits.answer else {
          throw ClickHouseError(
            .tooLarge, "the answer has more than \(limits.answer) bytes", host: host.description)
        }
        body.writeImmutableBuffer(part)
      }
    } catch let broken {
      if broken is ClickHouseError { throw broken }
      // Newer servers end the connection after the text of an exception, so that nobody takes the answer for whole.
      if let exception = AnswerTail.exception(in: body, response.headers, isSuspicious: true) {
        throw error(exception, host)
      }
      throw broken
    }
    // The body of a task that is cancelled ends as if there were no more.
    try Task.checkCancellation()
    guard response.status == .ok else { throw refusal(response, body, host) }
    if let exception = AnswerTail.exception(in: body, response.headers, isSuspicious: false) {
      throw error(exception, host)
    }
    return Answer(headers: response.headers, body: body)
  }

  private func refusal(
    _ response: HTTPClientResponse, _ body: ByteBuffer, _ host: ClickHouseAddress.Host
  ) -> ClickHouseError {
    let text = body.getString(at: body.readerIndex, length: min(body.readableBytes, 64 << 10)) ?? ""
    if let exception = ServerException(text[...]) { return error(exception, host) }
    if let code = response.headers.first(name: "X-ClickHouse-Exception-Code").flatMap({ Int($0) }) {
      return error(ServerException(code: code, message: text), host)
    }
    // Somebody in between: a proxy whose server is gone says so.
    let isGateway = [.badGateway, .serviceUnavailable, .gatewayTimeout].contains(response.status)
    return ClickHouseError(
      isGateway ? .connection : .answer, "it answers \(response.status.code), which is not how ClickHouse says no",
      host: host.description)
  }

  private func error(_ exception: ServerException, _ host: ClickHouseAddress.Host) -> ClickHouseError {
    var message = exception.message
    // No server says it, but one that a configuration was made for by hand could.
    while address.password.utf8.count >= 4, let range = message.place(of: address.password) {
      message.replaceSubrange(range, with: "…")
    }
    return ClickHouseError(.server(code: exception.code), message, host: host.description)
  }

  private static func explained(_ error: any Error, _ host: ClickHouseAddress.Host) -> ClickHouseError {
    if let error = error as? HTTPClientError {
      switch error {
      case .deadlineExceeded, .readTimeout, .writeTimeout:
        return ClickHouseError(.timeout, "the time is over", host: host.description)
      case .connectTimeout:
        return ClickHouseError(.connection, "it does not accept connections", host: host.description)
      default: break
      }
    }
    // The decompressor's limit.
    if "\(type(of: error))".contains("Decompression") {
      return ClickHouseError(.tooLarge, "the answer grows too large when it is unpacked", host: host.description)
    }
    return ClickHouseError(
      .connection, ServerException.shortened(String(describing: error).prefix(300)), host: host.description)
  }
}
