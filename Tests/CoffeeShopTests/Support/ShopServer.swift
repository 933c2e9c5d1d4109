import Foundation
import RequestCatcher

/// The shop's API on the loopback interface: the first payment fails, and nobody has a loyalty account.
final class ShopServer: Sendable {
  private let catcher: RequestCatcher

  init() throws {
    let payments = Count()
    catcher = try RequestCatcher(answering: { request in
      let words = request.requestLine.split(separator: " ")
      switch words.prefix(2).joined(separator: " ") {
      case "GET /v1/menu":
        return Self.answer(
          200,
          #"{"drinks":[{"name":"flat-white","title":"Flat white","section":"espresso","price":4.2},"#
            + #"{"name":"espresso","title":"Espresso","section":"espresso","price":2.4}]}"#)
      case "GET /v1/drinks/flat-white": return Self.answer(200, "{}")
      case "POST /v1/basket/items": return Self.answer(201, "{}")
      case "GET /v1/pickup-times": return Self.answer(200, #"{"times":["08:40"]}"#)
      case "POST /v1/checkout":
        return payments.next() == 1 ? Self.answer(503, "{}") : Self.answer(201, #"{"order":"R-2041"}"#)
      case "GET /orders/R-2041": return Self.answer(200, #"{"order":"R-2041","state":"preparing"}"#)
      case "POST /graphql": return Self.answer(200, #"{"data":{"loyalty":{"points":12,"tier":"silver"}}}"#)
      default: return Self.answer(404, #"{"error":"there is no such thing"}"#)
      }
    })
  }

  var url: URL { URL(string: "http://127.0.0.1:\(catcher.port)") ?? URL(fileURLWithPath: "/") }

  func stop() { catcher.stop() }

  private static func answer(_ status: Int, _ body: String) -> String {
    "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
      + "Connection: close\r\n\r\n\(body)"
  }
}

/// How often something has happened.
///
/// `@unchecked Sendable`: the number has a lock.
private final class Count: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  func next() -> Int {
    lock.withLock {
      number += 1
      return number
    }
  }
}
