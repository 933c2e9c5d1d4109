import AutoMobileSDK
import Foundation

/// Code of the app that the SDK calls: it calls back, takes its time, and throws.

final class Listener: NavigationListener {
  func onNavigationEvent(_ event: NavigationEvent) { _ = event.arguments.count }
}

/// An event of the app's own, whose encoding may fail.
struct OwnEvent: SdkEvent {
  struct Refusal: Error {}
  var eventType = SdkEventType.custom
  var timestamp: Int64
  var number: Double
  var text: String
  var refuses: Bool

  enum CodingKeys: String, CodingKey { case eventType, timestamp, number, text }

  init(_ random: inout Hostile) {
    timestamp = random.int64()
    number = random.double()
    text = random.string()
    refuses = random.below(4) == 0
  }

  init(from decoder: any Decoder) throws { throw Refusal() }

  func encode(to encoder: any Encoder) throws {
    if refuses { throw Refusal() }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    try container.encode(text, forKey: .text)
  }
}

/// An event whose JSON the app writes itself, with everything that the writer has.
struct WrittenEvent: SdkEvent {
  var eventType = SdkEventType.lifecycle
  var timestamp: Int64
  var random: UInt64

  init(_ random: inout Hostile) {
    timestamp = random.int64()
    self.random = random.next()
  }

  func encodeFields(into json: inout EventJSONWriter) {
    var random = Hostile(seed: random)
    json.head(eventType, timestamp)
    json.member("state", random.string())
    json.member("int64", random.int64())
    json.member("int", random.optional { $0.int() })
    json.member("double", random.optional { $0.double() })
    json.member("bool", random.optional { $0.bool() })
    json.member("strings", random.optional { $0.strings() })
    json.member("array", random.optional { $0.array() })
    json.member("metadata", random.properties())
    json.object("object") { $0.member("inner", "a") }
    json.objects("objects", [1, 2]) { number, json in json.member("number", number) }
  }
}

/// Set while the app's code runs, so that what it calls does not call it again without end.
enum HostCode {
  private static let key = "monkey.isInside"

  static func once(_ body: () -> Void) {
    let dictionary = Thread.current.threadDictionary
    guard dictionary[key] == nil else { return }
    dictionary[key] = true
    body()
    dictionary[key] = nil
  }

  static func process(_ breadcrumb: Breadcrumb, _ sdk: AutoMobileSDK) -> Breadcrumb? {
    once { sdk.trackEvent(name: "a breadcrumb was processed") }
    switch breadcrumb.message.utf8.count % 8 {
    case 0: return nil
    case 1: return Breadcrumb(category: .custom, message: String(breadcrumb.message.reversed()))
    default: return breadcrumb
    }
  }

  static func process(_ event: any SdkEvent, _ sdk: AutoMobileSDK) -> (any SdkEvent)? {
    once { sdk.addBreadcrumb("processed") }
    guard let event = event as? SdkCustomEvent else { return event }
    switch event.name.utf8.count % 8 {
    case 0: return nil
    case 1: return SdkLifecycleEvent(state: event.name)
    default: return event
    }
  }
}
