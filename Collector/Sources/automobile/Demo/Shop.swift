import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// The API of a small coffee shop, for the demo's app to talk to over real HTTP.
///
/// It has the moods of a real one: the pick-up times are slow, the first payment fails, one article has no page, nobody
/// ever linked a loyalty account, and there is never any news of the stock.
struct Shop: Sendable {
  private let payments = Attempts()

  var router: Router<BasicRequestContext> {
    let router = Router()
    router.get("v1/menu") { request, _ in
      Self.answer(.ok, Self.menu(section: request.uri.queryParameters.get("section")))
    }
    router.get("v1/drinks/:name") { _, context in
      let name = try context.parameters.require("name")
      guard let drink = Self.drinks.first(where: { $0.name == name }) else {
        return Self.answer(.notFound, ["error": "there is no drink of that name"])
      }
      return Self.answer(.ok, drink.json)
    }
    router.get("v1/basket") { _, _ in Self.answer(.ok, ["items": 2, "total": .number(8.4), "currency": "EUR"]) }
    router.post("v1/basket/items") { request, _ in
      _ = try await request.body.collect(upTo: 10_000)
      return Self.answer(.created, ["basket": "b-7", "items": 1])
    }
    router.get("v1/pickup-times") { _, _ in
      try await Task.sleep(for: .milliseconds(1150))
      return Self.answer(.ok, ["times": ["soon", "08:40", "08:50"]])
    }
    router.get("v1/stock/changes") { _, _ in
      // Whoever asked may be gone; the program ends without waiting for this.
      try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(100)) }
      return Self.answer(.ok, ["changes": []])
    }
    router.post("v1/checkout") { request, _ in
      _ = try await request.body.collect(upTo: 10_000)
      try await Task.sleep(for: .milliseconds(240))
      guard await payments.next() > 1 else {
        return Self.answer(.serviceUnavailable, ["error": "the payment service does not answer"])
      }
      return Self.answer(.created, ["order": "R-2041", "ready": "08:32"])
    }
    router.get("v1/orders") { _, _ in Self.answer(.ok, ["orders": ["R-2041", "R-1987", "R-1952"]]) }
    router.get("v1/orders/:id") { _, context in
      Self.answer(.ok, ["order": .string(try context.parameters.require("id")), "state": "preparing"])
    }
    // Old links still work.
    router.get("orders/:id") { _, context in
      let id = try context.parameters.require("id")
      return Response(status: .movedPermanently, headers: [.location: "/v1/orders/\(id)"])
    }
    router.post("graphql") { request, _ in
      _ = try await request.body.collect(upTo: 10_000)
      return Self.answer(.ok, ["data": ["loyalty": ["points": 0, "tier": .null]]])
    }
    router.post("v1/loyalty/points") { _, _ in Self.answer(.notFound, ["error": "no loyalty account is linked"]) }
    return router
  }

  private struct Drink {
    var name: String
    var title: String
    var section: String
    var price: Double

    var json: JSON {
      [
        "name": .string(name), "title": .string(title), "section": .string(section), "price": .number(price),
        "milk": ["none", "whole", "oat"], "sizes": ["small", "large"],
      ]
    }
  }

  private static let drinks = [
    Drink(name: "flat-white", title: "Flat white", section: "espresso", price: 4.2),
    Drink(name: "espresso", title: "Espresso", section: "espresso", price: 2.4),
    Drink(name: "cortado", title: "Cortado", section: "espresso", price: 3.4),
    Drink(name: "filter-kenya", title: "Filter, Kenya", section: "filter", price: 4.2),
    Drink(name: "filter-huila", title: "Filter, Huila", section: "filter", price: 3.9),
    Drink(name: "pumpkin-latte", title: "Pumpkin latte", section: "seasonal", price: 4.9),
  ]

  private static func menu(section: String?) -> JSON {
    let shown = drinks.filter { section == nil || $0.section == section }
    return ["drinks": .array(shown.map(\.json)), "currency": "EUR"]
  }

  private static func answer(_ status: HTTPResponse.Status, _ body: JSON) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: body.line)))
  }
}

/// Counts calls.
private actor Attempts {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
