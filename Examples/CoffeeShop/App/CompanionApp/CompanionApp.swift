import CoffeeShopCompanion
import SwiftUI

@main
struct CompanionApp: App {
  var body: some Scene {
    WindowGroup {
      if let directory = CompanionView.sharedDirectory {
        CompanionView(directory)
      } else {
        Text("This app is no member of \(CompanionView.appGroup): add the capability App Groups to it.")
      }
    }
  }
}
