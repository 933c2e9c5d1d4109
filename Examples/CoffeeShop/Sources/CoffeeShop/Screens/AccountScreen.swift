import SwiftUI

/// Logging in and out, which sets and resets the identity of the recording.
struct AccountScreen: View {
  let shop: Shop
  @State private var name = ""
  @State private var password = ""

  var body: some View {
    Form {
      if let user = account.name {
        Text("You are \(user)")
        if let points = shop.points, account.isUnlocked {
          Text("You have \(points) points")
        } else {
          Button("Show my points") { showPoints() }
        }
        ProblemText(problem: shop.problem)
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

  private var account: Account { shop.account }

  private func showPoints() {
    Task {
      await account.unlock()
      if account.isUnlocked { await shop.loadPoints() }
    }
  }
}
