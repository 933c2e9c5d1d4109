import AutoMobileSDK
import Foundation
import SwiftUI

/// Everything that can go wrong, at the touch of a button.
struct TroubleScreen: View {
  let shop: Shop

  var body: some View {
    List {
      Section("The app survives") {
        Button("Handled error") { Trouble.handledError() }
        Button("Failing request") { Task { await shop.earnPoints(for: Order(id: "R-0", total: 0, items: 0)) } }
        Button("Mock the menu") { Trouble.mockMenu() }
        Button("No mocks") { AutoMobileNetwork.shared.mocks.removeAll() }
        Button("Slow frames") { Trouble.block(seconds: 0.3) }
        Button("Hang for 2.5 s") { Trouble.block(seconds: 2.5) }
      }
      Section("It does not") {
        Button("Crash", role: .destructive) { Trouble.crash() }
        Button("Trap", role: .destructive) { Trouble.trap() }
      }
      ProblemText(problem: shop.problem)
    }
    .navigationTitle("Trouble")
  }
}

public enum Trouble {
  enum Broken: Error { case milkFrother }

  static func handledError() {
    AutoMobileFailures.shared.recordHandledException(Broken.milkFrother, message: "Foam is off the menu")
  }

  /// The next five times, the menu is what is written here, without a request.
  static func mockMenu() {
    let menu = #"{"drinks":[{"name":"mocha","title":"Mock mocha","section":"mocked","price":1}]}"#
    AutoMobileNetwork.shared.mocks.add(
      NetworkMockRule(
        id: "mocha only", method: "GET", path: .glob("/v1/menu"),
        response: .response(status: 200, headers: ["Content-Type": "application/json"], body: Data(menu.utf8)),
        count: 5))
  }

  /// Computes on this thread, which is busy meanwhile.
  public static func block(seconds: Double) {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
    var ink = 0.0
    while DispatchTime.now().uptimeNanoseconds < end { ink += sin(ink + 1) }
    withExtendedLifetime(ink) {}
  }

  /// Writes where nothing may be written.
  public static func crash() { UnsafeMutablePointer<Int>(bitPattern: 0x18)?.pointee = 1 }

  static func trap() { fatalError("somebody asked for it") }
}
