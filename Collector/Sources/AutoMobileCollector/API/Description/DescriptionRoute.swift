import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers

/// `GET /openapi.json`. For anyone: it says what stands in the repository, and nothing of what the collector holds.
struct DescriptionRoute: Sendable {
  let limits: CollectorLimits

  /// The last route that is added: it speaks of all that were.
  func add(to routes: RouteTable) {
    let own = Route(method: "GET", path: "/openapi.json", access: .anyone)
    let all = routes.entries + [own]
    let file = Once { [limits] in WebAssets.File("openapi.json", OpenAPIDocument.text(all, limits)) }
    routes.get(own.path, for: .anyone) { request, _, _ in file.value.response(to: request, [.cacheControl: "no-cache"])
    }
  }
}

/// Made when it is wanted first.
private final class Once<Value: Sendable>: Sendable {
  private let made = NIOLockedValueBox<Value?>(nil)
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  var value: Value {
    made.withLockedValue { made in
      if let made { return made }
      let new = make()
      made = new
      return new
    }
  }
}
