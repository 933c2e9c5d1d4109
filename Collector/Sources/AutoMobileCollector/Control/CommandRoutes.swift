import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/sdk-commands` for debug builds that ask for commands, `/api/commands` for whoever gives them.
struct CommandRoutes: Sendable {
  let board: any CommandBoard
  let asks: Asks
  let held: HeldQuestions
  let clients: Clients
  let requests: SmallBodies
  let answers: SmallBodies

  /// The longest that a question is held open, in seconds: shorter than proxies keep a quiet connection.
  static let longestWait = 30.0
  static let longestTimeout = 30.0
  /// A command, and what an app says to one, in bytes.
  static let longestRequest = 32 << 10
  static let longestAnswer = 640 << 10

  init(
    board: any CommandBoard, asks: Asks, held: HeldQuestions, clients: Clients, limits: CollectorLimits
  ) {
    (self.board, self.asks, self.held, self.clients) = (board, asks, held, clients)
    requests = SmallBodies(limits, bytes: Self.longestRequest)
    answers = SmallBodies(limits, bytes: Self.longestAnswer)
  }

  func add(to routes: RouteTable) {
    routes.get("/sdk-commands", for: .ingest) { request, context, scope in
      try await handOut(request, context, scope)
    }
    routes.post("/sdk-commands/{id}/result", for: .ingest) { request, context, scope in
      try await takeResult(request, context.parameters.get("id") ?? "", scope)
    }
    routes.get("/api/commands", for: .reader) { _, _, scope in try await list(scope) }
    routes.post("/api/commands", for: .projectOperator) { request, _, scope in
      try await command(request, scope.reading)
    }
  }

  // MARK: Apps

  private func handOut(_ request: Request, _ context: CollectorContext, _ scope: AppScope) async throws -> Response {
    guard let launch = request.parameter("launchId"), (1...64).contains(launch.utf8.count) else {
      throw APIError.badRequest("no_launch", "launchId is required: the launch that asks, in at most 64 bytes")
    }
    let app = try scope.app(request.parameter("bundleId"))
    let asker = Asker(request)
    if request.parameter("commands") == nil, asker != nil {
      let client = context.channel.map(clients.presence) ?? ClientPresence()
      return await hold(request, CommandExchange.Address(owner: app.owner, launch: launch), app, asker, client)
    }
    let bundle = app.bundleId
    let address = CommandExchange.Address(owner: app.owner, launch: launch)
    let names = (request.parameter("commands") ?? "").split(separator: ",").prefix(100).map { String($0.prefix(64)) }
    let wait = min(max(0, request.parameter("wait").flatMap(Double.init) ?? 25), Self.longestWait)
    let listener = CommandExchange.Listener(
      address: address, bundle: bundle, names: names, lastSeen: WallClock.now)
    // Who does not say what it has wants to know of what changes from now on.
    let known = request.parameter("config") ?? asks.tag(of: app, asker: asker)
    let id = board.nextQuestion()
    let commands = try await request.body.consumeWithInboundCloseHandler { _ in
      await board.question(id, of: listener, wait: wait) {
        known != asks.tag(of: app, asker: asker)
      }
    } onInboundClosed: {
      board.leave(id, of: address)
    }
    var response: Response
    if commands.isEmpty {
      response = Response(status: .noContent, headers: [.cacheControl: "no-store"])
    } else {
      var json = JSONOutput()
      json.object {
        $0.array("commands") { for command in commands { $0.object { command.write(to: &$0) } } }
      }
      response = json.response()
    }
    response.headers[.xAutoMobileConfig] = asks.tag(of: app, asker: asker)
    // Who watches a connection for its end cannot serve another request on it: nobody may count on that.
    response.headers[.connection] = "close"
    return response
  }

  /// A build that takes no commands, and keeps what it records: it only wants to know when there is news.
  private func hold(
    _ request: Request, _ address: CommandExchange.Address, _ app: DeliveringApp, _ asker: Asker?,
    _ client: ClientPresence
  ) async -> Response {
    let wait = min(max(0, request.parameter("wait").flatMap(Double.init) ?? 25), held.longest)
    let known = request.parameter("config")
    // A place is for who is there: it is free again when the app has gone to the background, or the network.
    let hadPlace = await held.hold(address, for: wait, client: client) { known != asks.tag(of: app, asker: asker) }
    var headers: HTTPFields = [.cacheControl: "no-store"]
    headers[.xAutoMobileConfig] = asks.tag(of: app, asker: asker)
    headers[.xAutoMobileListen] = hadPlace ? held.term : nil
    return Response(status: .noContent, headers: headers)
  }

  private func takeResult(_ request: Request, _ id: String, _ scope: AppScope) async throws -> Response {
    let body = try await answers.bytes(request)
    _ = try body.withUnsafeReadableBytes { bytes in
      var scanner = JSONScanner(bytes, maximumDepth: 64)
      do {
        try scanner.document { try $0.object { scanner, _ in try scanner.skip() } }
      } catch let error as JSONError {
        throw APIError.badRequest("invalid_json", "the answer cannot be read \(error)", offset: error.offset)
      }
    }
    let owner = try scope.owner(request.parameter("bundleId"))
    guard try await board.answer(id, launch: request.parameter("launchId") ?? "", owner: owner, body) else {
      throw APIError(.notFound, "no_command", "no one is waiting for a response to this command")
    }
    return JSONOutput.ok()
  }

  // MARK: Operators

  private func list(_ scope: ReadScope) async throws -> Response {
    let presence = try await board.presence()
    var json = JSONOutput()
    json.object {
      $0.array("listeners") {
        for listener in presence.listeners where scope.sees(listener.address.owner) {
          $0.object {
            $0.member("launchId", listener.launch)
            $0.member("bundleId", listener.bundle)
            $0.array("commands") { for name in listener.names { $0.string(name) } }
            $0.member("lastSeen", listener.lastSeen)
          }
        }
      }
      $0.array("left") { for left in presence.left where scope.sees(left.owner) { $0.string(left.launch) } }
    }
    return json.response()
  }

  private func command(_ request: Request, _ scope: ReadScope) async throws -> Response {
    let body = try await requests.json(request, maximumDepth: 12)
    guard let name = body["command"]?.string, (1...64).contains(name.utf8.count) else {
      throw APIError.badRequest("no_command", "give the command: \"command\"")
    }
    let timeout = body["timeoutSeconds"]?.number ?? 10
    guard (0.1...Self.longestTimeout).contains(timeout) else {
      throw APIError.badRequest("invalid_timeout", "timeoutSeconds must be from 0.1 to \(Self.longestTimeout)")
    }
    let listener = try await self.listener(
      launch: body["launchId"]?.string, bundle: body["bundleId"]?.string, scope)
    let command = CommandExchange.Command(
      id: UUID().uuidString, name: name, arguments: (body["arguments"] ?? .object([:])).text, timeout: timeout)
    let start = ContinuousClock.now
    let answer = try await board.ask(command, of: listener.address)
    switch answer {
    case .body(let result):
      var json = JSONOutput()
      json.object {
        $0.member("launchId", listener.launch)
        $0.member("bundleId", listener.bundle)
        $0.member("milliseconds", Int64((ContinuousClock.now - start) / .milliseconds(1)))
        $0.member("answer", json: result)
      }
      return json.response()
    case .timeout:
      throw APIError(.gatewayTimeout, "timeout", "the app did not respond within \(timeout) s")
    case .gone: throw Self.nobody
    case .busy: throw APIError.busy("too many commands are waiting for a response")
    case .stopping:
      throw APIError(.serviceUnavailable, "stopping", "the collector is stopping", retryAfter: 5)
    }
  }

  /// The launch that is meant: by its id or the beginning of it, or the app's latest.
  private func listener(
    launch: String?, bundle: String?, _ scope: ReadScope
  ) async throws -> CommandExchange.Listener {
    guard launch != nil || bundle != nil else {
      throw APIError.badRequest("no_target", "give the app: \"bundleId\" or \"launchId\"")
    }
    let found = try await board.presence().listeners.first { listener in
      (launch.map { listener.launch.lowercased().hasPrefix($0.lowercased()) } ?? true)
        && (bundle.map { listener.bundle == $0 } ?? true) && scope.sees(listener.address.owner)
    }
    guard let found else { throw Self.nobody }
    return found
  }

  private static var nobody: APIError {
    APIError(
      .notFound, "no_listener",
      "this app is not listening: it must be a debug build that is running and delivers to this collector")
  }
}

extension CommandExchange.Command {
  fileprivate func write(to json: inout JSONOutput) {
    json.member("id", id)
    json.member("command", name)
    json.member("arguments", json: arguments)
    // One digit will do, and is exact enough.
    json.member("timeoutSeconds", json: String((timeout * 10).rounded() / 10))
  }
}
