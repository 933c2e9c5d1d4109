import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

/// What a key may have, by a clock of the test's own.
@Suite struct `Limits of keys` {
  private struct Place {
    let seconds = NIOLockedValueBox(0.0)
    let meters: DeliveryMeters

    init(mostLaunches: Int = 1000, _ change: (inout DeliveryRates) -> Void) {
      var rates = DeliveryRates.unlimited
      change(&rates)
      let seconds = seconds
      meters = DeliveryMeters(
        rates, mostLaunches: mostLaunches, clock: { seconds.withLockedValue { $0 } },
        now: { Int64(seconds.withLockedValue { $0 } * 1000) })
    }

    func pass(_ time: Double) { seconds.withLockedValue { $0 += time } }

    func isAdmitted(_ key: Int64, _ owner: DataOwner? = nil) -> Bool {
      (try? meters.admit(key: key, owner: owner)) != nil
    }
  }

  private let shop = DataOwner.app("com.example.shop")
  private let other = DataOwner.app("com.example.other")

  @Test func `requests come back with time, each key's for itself`() {
    let place = Place { $0.requestsPerSecond = 2 }
    #expect((0..<20).allSatisfy { _ in place.isAdmitted(1) })
    #expect(!place.isAdmitted(1) && place.isAdmitted(2))
    place.pass(1)
    #expect(place.isAdmitted(1) && place.isAdmitted(1) && !place.isAdmitted(1))
    place.pass(1e6)
    #expect((0..<20).allSatisfy { _ in place.isAdmitted(1) } && !place.isAdmitted(1))
    #expect(place.meters.usage(of: 1) == .init(requests: 45, bytes: 0, limited: 3))
  }

  @Test func `a body that overdraws is paid for first`() throws {
    let place = Place { $0.bytesPerSecond = 100 }
    #expect(place.isAdmitted(1, shop))
    try place.meters.take(1500, key: 1, owner: shop, launch: nil)
    let refusal = #expect(throws: APIError.self) { try place.meters.admit(key: 1, owner: shop) }
    #expect(refusal?.status == .tooManyRequests && refusal?.code == "rate_limited" && refusal?.retryAfter == 6)
    // Whoever only reads brings no bytes.
    #expect(place.isAdmitted(1) && place.isAdmitted(2, other))
    place.pass(5.1)
    #expect(place.isAdmitted(1, shop))
  }

  @Test func `a project's day ends for all its keys, and the next one begins`() throws {
    let place = Place { $0.projectBytesPerDay = 1000 }
    try place.meters.take(1000, key: 1, owner: shop, launch: nil)
    #expect(!place.isAdmitted(1, shop) && !place.isAdmitted(2, shop) && place.isAdmitted(3, other))
    let refusal = #expect(throws: APIError.self) { try place.meters.admit(key: 1, owner: shop) }
    #expect(refusal?.retryAfter == 3600)
    place.pass(86_400)
    #expect(place.isAdmitted(1, shop))
  }

  @Test func `a launch's bytes are its own, also where another app has one of the same name`() throws {
    let place = Place { $0.launchBytesPerDay = 1000 }
    try place.meters.take(1000, key: 1, owner: shop, launch: "a")
    #expect(throws: APIError.self) { try place.meters.take(1, key: 1, owner: shop, launch: "a") }
    try place.meters.take(1, key: 1, owner: shop, launch: "b")
    try place.meters.take(1, key: 2, owner: other, launch: "a")
    #expect(place.meters.usage(of: 1).bytes == 1001)
  }

  @Test func `a project with very many launches takes no other one's limits away`() throws {
    let place = Place(mostLaunches: 3) { $0.launchBytesPerDay = 100 }
    for launch in 0..<10 { try place.meters.take(100, key: 1, owner: shop, launch: "\(launch)") }
    // Those that are not told apart are their project's only.
    try place.meters.take(1, key: 1, owner: shop, launch: "9")
    #expect(throws: APIError.self) { try place.meters.take(1, key: 1, owner: shop, launch: "0") }
    try place.meters.take(100, key: 2, owner: other, launch: "0")
    #expect(throws: APIError.self) { try place.meters.take(1, key: 2, owner: other, launch: "0") }
  }

  @Test func `a launch that delivers again and again waits, and no other one with it`() throws {
    let place = Place {
      $0.launchBodiesPerSecond = 0.5
      $0.launchBytesPerDay = 1000
    }
    func take(_ launch: String?, _ owner: DataOwner? = nil) throws {
      try place.meters.take(100, key: 1, owner: owner ?? shop, launch: launch)
    }
    for _ in 0..<5 { try take("a") }
    let refusal = #expect(throws: APIError.self) { try take("a") }
    #expect(refusal?.status == .tooManyRequests && refusal?.retryAfter == 2)
    try take("b")
    try take("a", other)
    for _ in 0..<10 { try take(nil) }
    place.pass(2)
    try take("a")
    // What was refused does not count for its day: four more are taken, and then the day is over.
    for _ in 0..<4 {
      place.pass(2)
      try take("a")
    }
    place.pass(2)
    #expect(#expect(throws: APIError.self) { try take("a") }?.retryAfter == 3600)
    #expect(place.meters.usage(of: 1) == .init(requests: 0, bytes: 2200, limited: 2))
  }
}
