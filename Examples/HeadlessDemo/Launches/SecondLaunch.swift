import AutoMobileSDK
import Foundation

/// Comes back to the order by a link, is told that there are no points for it, and finds the buttons for trouble: one blocks the
/// main thread, the next dies of a bad pointer.
@MainActor
struct SecondLaunch {
  let phone: Phone
  let person: Person

  func run() async throws {
    phone.open()
    try await person.sees("Flat white")
    phone.leave()
    await person.pauses(0.5)
    phone.open("coffeeshop://orders/R-2041?utm_source=mail")
    try await person.sees("Your order is preparing")
    try await person.taps(button: "Earn points")
    try await person.sees("No points were added")
    try await person.goesBack()
    try await person.taps("Trouble")
    try await person.taps("Handled error")
    // A machine that stops the whole process meanwhile, as virtual ones do, takes that off the hang: then once more.
    for _ in 0..<3 where !phone.recorded.hasSeenHang {
      try await person.taps("Hang for 2.5 s")
      // The app crashes soon; whoever counts has to have seen the hang before.
      try await phone.recorded.waitForHang()
    }
    try await phone.rest()
    DemoApp.say("crash")
    try await person.taps("Crash")
  }
}
