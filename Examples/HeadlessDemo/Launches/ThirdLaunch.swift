import AutoMobileReplay
import AutoMobileSDK
import Foundation

/// Comes back, delivers what the others left behind, and ends as apps should. The SDK tells by itself how the launch before
/// ended.
@MainActor
struct ThirdLaunch {
  let phone: Phone
  let person: Person

  func run() async throws {
    phone.open()
    try await person.sees("Flat white")
    try await person.taps("Orders")
    try await person.taps("R-2041, 9.10 €")
    try await person.sees("Your order is preparing")
    try await person.goesBack()
    try await person.goesBack()
    try await person.taps("Storage")
    try await person.sees("orders in orders.sqlite: 1 rows")
    try await person.goesBack()
    phone.leave()
    await person.pauses(0.5)
    phone.comeBack()
    await person.pauses(1)
    // The two before were ended by others; this one ends its replay itself.
    phone.noteStop()
    _ = await Replay.stop()
    try await rest()
  }

  func wait() async throws {
    phone.open()
    try await rest()
  }

  /// Whoever started the process sees when everything has arrived, and closes the pipe.
  private func rest() async throws {
    DemoApp.say("done")
    await Task.detached { _ = FileHandle.standardInput.readDataToEndOfFile() }.value
    await AutoMobileSDK.shared.shutdownAndDeliver()
    try await phone.recorded.settle()
  }
}
