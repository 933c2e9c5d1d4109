import SwiftUI

/// What is kept in `UserDefaults`.
struct SettingsScreen: View {
  @Bindable var preferences: Preferences

  var body: some View {
    Form {
      TextField("Name on the cup", text: $preferences.pickupName)
      Toggle("Always oat milk", isOn: $preferences.likesOatMilk)
    }
    .navigationTitle("Settings")
  }
}
