import AutoMobileSDK
import Foundation

/// Logs in, looks at the menu, orders, pays at the second attempt; a request waits for news of the stock — and then stock is
/// synchronised by four threads at once, in the middle of which somebody else ends the process.
@MainActor
struct FirstLaunch {
  let phone: Phone
  let person: Person

  func run() async throws {
    phone.open()
    try await person.sees("Flat white")
    try await logIn()
    try await choosesMilk()

    try await person.taps("Flat white")
    try await person.taps("Add to cart")
    try await person.sees("1 in your cart")
    try await person.goesBack()
    phone.loseWiFi()
    try await person.taps("Pumpkin latte")
    try await person.taps("Add to cart")
    try await person.sees("2 in your cart")
    try await person.taps("To the cart")
    try await person.taps("Check out, 9.10 €")
    try await person.sees("08:40")
    // There is never any news: the request is under way until the process ends.
    Task { [client = phone.client] in try await client.stockChanges() }
    try await person.taps("Pay 9.10 €")
    try await person.sees("The payment failed")
    try await person.taps("Pay 9.10 €")
    try await person.sees("Receipt R-2041")
    try await person.sees("Your order is preparing")
    phone.drain(to: 0.6)
    try await person.goesBack()
    try await person.taps("Notifications")
    try await person.taps("Tell me when it is ready")
    try await person.sees("You will be told")

    try await phone.rest()
    DemoApp.say("burst")
    Stock.synchronise(phone.witness)
    while true { try await Task.sleep(nanoseconds: 60_000_000_000) }
  }

  private func logIn() async throws {
    try await person.taps("Account")
    try await person.types("mira@example.com", into: "Name")
    try await person.types("correct horse", into: "Password")
    try await person.taps("Log in")
    try await person.taps("Show my points")
    try await person.sees("You have 0 points")
    try await person.goesBack()
  }

  private func choosesMilk() async throws {
    try await person.taps("Settings")
    try await person.types("Mira", into: "Name on the cup")
    try await person.taps("Always oat milk")
    try await person.goesBack()
  }
}
