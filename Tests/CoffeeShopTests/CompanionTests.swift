import AutoMobileNetworkLog
import CoffeeShopCompanion
import Foundation
import SwiftUI
import Testing

/// The companion app: its switch, and the way to the log.
@MainActor @Suite struct CompanionTests {
  @Test func `the switch of the companion is the one that the app looks at`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("companion-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let directory = NetworkLogDirectory(url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let screen = SimulatedScreen(CompanionView(directory))
    screen.simulateAppearance()
    #expect(try !screen.isOn("Record requests") && !NetworkLogSwitch(directory).isOn)
    try screen.simulateTap("Record requests")
    #expect(try screen.isOn("Record requests") && NetworkLogSwitch(directory).isOn)
    try screen.simulateTap("Requests")
    #expect(screen.title == "0 requests")
    try screen.simulateBack()
    try screen.simulateTap("Record requests")
    #expect(!NetworkLogSwitch(directory).isOn)
    screen.simulateDisappearance()
  }
}
