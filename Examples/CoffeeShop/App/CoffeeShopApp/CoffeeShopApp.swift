import CoffeeShop
import Foundation
import SwiftUI

@main
struct CoffeeShopApp: App {
  private let shop: Shop

  init() {
    FlightRecorder.start(sharing: FlightRecorder.sharedDirectory)
    // `automobile demo` says where its shop is: put SHOP into the scheme's environment.
    let address = ProcessInfo.processInfo.environment["SHOP"].flatMap { URL(string: $0) }
    let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
    shop = Shop(
      client: ShopClient(shop: address ?? URL(fileURLWithPath: "/")), directory: documents,
      defaults: UserDefaults(suiteName: FlightRecorder.appGroup) ?? .standard)
  }

  var body: some Scene {
    WindowGroup { ShopView(shop) }
  }
}
