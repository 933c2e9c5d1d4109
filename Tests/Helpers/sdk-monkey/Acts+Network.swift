import AutoMobileSDK
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Act {
  private static var shared: AutoMobileNetwork { AutoMobileNetwork.shared }

  static let network: [Act] = [
    Act(
      "AutoMobileNetwork.shared",
      "AutoMobileNetwork.recordRequest(url:method:requestHeaders:requestBodySize:statusCode:responseHeaders:"
        + "responseBodySize:durationMs:error:requestBody:responseBody:contentType:)", weight: 4
    ) { random, _ in
      shared.recordRequest(
        url: url(&random), method: random.string(), requestHeaders: random.optional { $0.strings() },
        requestBodySize: random.optional { $0.int() }, statusCode: random.optional { $0.int() },
        responseHeaders: random.optional { $0.strings() }, responseBodySize: random.optional { $0.int() },
        durationMs: random.optional { $0.double() }, error: random.optional { $0.string() },
        requestBody: random.optional { body(&$0) }, responseBody: random.optional { body(&$0) },
        contentType: random.optional { $0.one(of: ["application/json", "text/html", $0.string()]) })
    },
    Act("AutoMobileNetwork.recordWebSocketFrame(url:direction:frameType:payloadSize:)") { random, _ in
      shared.recordWebSocketFrame(
        url: url(&random), direction: random.one(of: WebSocketFrameDirection.allCases),
        frameType: random.one(of: WebSocketFrameType.allCases), payloadSize: random.optional { $0.int() })
    },
    Act(
      "AutoMobileNetwork.setCaptureHeaders(_:)", "AutoMobileNetwork.setCaptureBodies(_:)",
      "AutoMobileNetwork.setMaxBodyBytes(_:)", "AutoMobileNetwork.setTracerHeader(_:)",
      "AutoMobileNetwork.setSampleRate(_:)", "AutoMobileNetwork.isTextContentType(_:)", weight: 4
    ) { random, _ in
      shared.setCaptureHeaders(random.bool())
      shared.setCaptureBodies(random.bool())
      shared.setMaxBodyBytes(random.int())
      shared.setTracerHeader(random.optional { $0.string() })
      shared.setSampleRate(random.below(4) == 0 ? random.double() : 1)
      _ = AutoMobileNetwork.isTextContentType(random.optional { $0.string() })
    },
    Act(
      "AutoMobileNetwork.setRedactedHeaders(_:)", "AutoMobileNetwork.setRedactedFields(_:)",
      "AutoMobileNetwork.defaultRedactedHeaders", "AutoMobileNetwork.defaultRedactedFields",
      "AutoMobileNetwork.setHostFilter(include:exclude:)", "AutoMobileNetwork.setPathFilter(include:exclude:)",
      "AutoMobileNetwork.setTraceparentHosts(_:)", weight: 2
    ) { random, _ in
      shared.setRedactedHeaders(AutoMobileNetwork.defaultRedactedHeaders + random.array())
      shared.setRedactedFields(AutoMobileNetwork.defaultRedactedFields + random.array())
      shared.setHostFilter(include: [], exclude: random.array())
      shared.setPathFilter(include: random.bool() ? [] : ["*"], exclude: random.array())
      shared.setTraceparentHosts(random.array())
    },
    Act(
      "AutoMobileNetwork.protocolClass()", "AutoMobileNetwork.register(in:)", "AutoMobileNetwork.startInterception()",
      "AutoMobileNetwork.stopInterception()", "AutoMobileNetwork.isIntercepting", weight: 2
    ) { random, _ in
      let configuration = URLSessionConfiguration.ephemeral
      shared.register(in: configuration)
      _ = shared.protocolClass()
      if random.bool() { shared.startInterception() } else { shared.stopInterception() }
      _ = shared.isIntercepting
    },
    Act(
      "AutoMobileNetwork.webSocket(_:)", "AutoMobileWebSocketTask.resume()",
      "AutoMobileWebSocketTask.send(_:completionHandler:)", "AutoMobileWebSocketTask.receive(completionHandler:)",
      "AutoMobileWebSocketTask.sendPing(pongReceiveHandler:)", "AutoMobileWebSocketTask.cancel(with:reason:)",
      "AutoMobileWebSocketTask.cancel()", "AutoMobileWebSocketTask.send(_:)", "AutoMobileWebSocketTask.receive()",
      "AutoMobileWebSocketTask.task", "AutoMobileWebSocketTask.requestId",
      weight: 1
    ) { random, _ in
      // Nobody listens there.
      guard random.below(50) == 0, let url = URL(string: "ws://127.0.0.1:1/") else { return }
      let socket = shared.webSocket(URLSession.shared.webSocketTask(with: url))
      if random.bool() { socket.resume() }
      socket.send(.string(random.string())) { _ in }
      socket.receive { _ in }
      socket.sendPing { _ in }
      socket.cancel(with: .goingAway, reason: Data(random.string().utf8))
      socket.cancel()
      _ = (socket.requestId, socket.task.state)
      if random.below(100) == 0 {
        Task {
          try? await socket.send(.data(Data()))
          _ = try? await socket.receive()
        }
      }
    },
    Act(
      "AutoMobileNetwork.mocks", "NetworkMockRules.add(_:)", "NetworkMockRules.remove(id:)",
      "NetworkMockRules.removeAll()", "NetworkMockRules.rules", "NetworkMockRules.problems",
      "NetworkMockRules.isEnabled",
      "NetworkMockRule.init(id:method:host:path:headers:bodyContains:response:delayMs:count:expires:)", weight: 4
    ) { random, _ in
      let mocks = shared.mocks
      let patterns = ["[", "(a+)+$", random.string()]
      mocks.add(
        NetworkMockRule(
          id: random.one(of: ["a", "b", random.string()]), method: random.optional { $0.string() },
          host: random.optional { $0.string() },
          path: random.optional { $0.bool() ? .glob($0.string()) : .regex($0.one(of: patterns)) },
          headers: random.strings(), bodyContains: random.optional { $0.string() },
          response: random.one(of: [
            .response(status: random.int()), .response(status: 200, headers: random.strings()), .passthrough,
            .failure(.timedOut),
          ]), delayMs: random.int(), count: random.optional { $0.int() },
          expires: random.optional { Date(timeIntervalSince1970: $0.double()) }))
      _ = (mocks.rules, mocks.problems, mocks.isEnabled)
      mocks.remove(id: random.one(of: ["a", "b"]))
      if random.below(10) == 0 { mocks.removeAll() }
    },
  ]

  private static func url(_ random: inout Hostile) -> String {
    random.one(of: ["https://a.example/?token=", "wss://", ""]) + random.string()
  }

  private static func body(_ random: inout Hostile) -> String {
    random.one(of: ["{\"password\":\"", "[[[[", "a=b&pin=", ""]) + random.string()
  }
}
