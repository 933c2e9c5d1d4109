import SwiftUI

/// Logging in and out, which sets and resets the identity of the recording.
struct AccountScreen: View {
  let account: Account
  @State private var name = ""
  @State private var password = ""

  var body: some View {
    Form {
      if let user = account.name {
        Text("You are \(user)")
        if account.isUnlocked {
          Text("You have 12 points")
        } else {
          Button("Show my points") { Task { await account.unlock() } }
        }
        Button("Log out", role: .destructive) { account.logOut() }
      } else {
        TextField("Name", text: $name)
        SecureField("Password", text: $password)
        Button("Log in") { account.logIn(name) }
          .disabled(name.isEmpty || password.isEmpty)
      }
    }
    .navigationTitle("Account")
  }
}
