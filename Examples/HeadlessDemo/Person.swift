import CoffeeShop
import Foundation
import SwiftUI
import UIKit

/// Who uses the phone: looks, taps, types, at a person's pace.
@MainActor struct Person {
  struct Lost: Error, CustomStringConvertible {
    let description: String
  }

  private let phone: Phone
  private let pace: Double

  /// - Parameter pace: 1 is as a person would, 0 without any pause.
  init(_ phone: Phone, pace: Double) {
    self.phone = phone
    self.pace = pace
  }

  /// Waits until the screen says so.
  func sees(_ text: String) async throws {
    try await waits(for: "“\(text)”") { phone.screen.texts.contains(text) || phone.screen.title == text }
  }

  /// Taps on what says this, when it is there.
  func taps(_ label: String) async throws {
    try await waits(for: "“\(label)”") {
      do {
        try phone.screen.simulateTap(label)
        return true
      } catch is SimulatedScreen.NotThere {
        return false
      }
    }
    await pauses(0.4)
  }

  /// Taps on a button of UIKit's.
  func taps(button title: String) async throws {
    let buttons = phone.screen.presentedController?.view.subviews.compactMap { $0 as? UIButton } ?? []
    guard let button = buttons.first(where: { $0.currentTitle == title }) else {
      throw Lost(description: "there is no button “\(title)”")
    }
    let middle = CGPoint(x: button.bounds.midX, y: button.bounds.midY)
    phone.window.simulateTap(at: button.convert(middle, to: nil), time: ProcessInfo.processInfo.systemUptime - 0.1)
    await pauses(0.4)
  }

  func types(_ text: String, into prompt: String) async throws {
    try phone.screen.simulateTyping(text, into: prompt)
    await pauses(0.3)
  }

  func goesBack() async throws {
    try phone.screen.simulateBack()
    await pauses(0.3)
  }

  /// As long as a person takes; shorter or longer by a third.
  func pauses(_ seconds: Double) async {
    // Two taps on one place within a tenth of a second would be one.
    let varied = max(0.12, seconds * pace * Double.random(in: 0.67...1.33))
    try? await Task.sleep(nanoseconds: UInt64(varied * 1e9))
  }

  private func waits(for something: String, _ isThere: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !isThere() {
      guard ContinuousClock.now < deadline else {
        throw Lost(description: "\(something) is not on the screen, which says: \(phone.screen.texts)")
      }
      try await Task.sleep(nanoseconds: 10_000_000)
    }
  }
}
