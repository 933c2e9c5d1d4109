import CCairo
import Foundation
import ReplayTesting
import SwiftUI
import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay
@testable import CoffeeShop

/// What a replay of the example shows: everything that can be read on a screen, and nothing that is masked.
///
/// `AUTOMOBILE_PICTURES=DIRECTORY` keeps the pictures.
@MainActor @Suite(.serialized) struct ScreenPicturesTests {
  @Test func `what a screen says can be read in its picture, and what is masked cannot`() async throws {
    try await Stage.play { stage in
      stage.screen.simulateAppearance()
      #expect(await stage.sees("Flat white"))
      try look(at: stage, "menu")
      try stage.screen.simulateTap("Flat white")
      try look(at: stage, "drink")
      try stage.screen.simulateTap("Add to cart")
      #expect(await stage.sees("1 in your cart"))
      try look(at: stage, "drink in the cart")
      try stage.screen.simulateTap("To the cart")
      try look(at: stage, "cart")
      try stage.screen.simulateTap("Check out, 4.20 €")
      #expect(await stage.sees("08:40"))
      try look(at: stage, "checkout", masked: [stage.shop.account.card])
      try await stage.pay()
      #expect(await stage.sees("The payment failed"))
      try look(at: stage, "failed", masked: [stage.shop.account.card])
      try await stage.pay()
      #expect(await stage.sees("Your order is preparing"))
      try look(at: stage, "receipt")
      for screen in ["Orders", "Settings", "Notifications", "Storage", "Trouble", "Account"] {
        try stage.screen.simulateBack()
        try stage.screen.simulateTap(screen)
        #expect(stage.screen.title == screen)
        try look(at: stage, screen)
      }
      try stage.screen.simulateTyping("mira", into: "Name")
      try stage.screen.simulateTyping("correct horse", into: "Password")
      try look(at: stage, "logging in", masked: ["mira", "correct horse"])
    }
  }

  private func look(at stage: Stage, _ name: String, masked: [String] = []) throws {
    // As fast as a phone, however busy this machine is: what takes too long is left out of a picture.
    let screen = UIKitScreen(screenName: { name }, uptime: { 0 })
    let picture = Picture.make(312, 675)
    // A picture is of what was looked for before it, too.
    screen.prepare(MaskingRules())
    let mask = try #require(screen.draw(on: picture, pixelsPerPoint: 0.8, MaskingRules()))
    mask.paint(on: picture, pixelsPerPoint: 0.8)
    #expect(!mask.isUncertain)
    keep(picture, name)

    let labels = Self.views(in: stage.window).compactMap { $0 as? UILabel }
    for text in stage.screen.texts {
      let label = try #require(labels.first { $0.text == text }, "“\(text)” has no label on \(name)")
      let colours = Self.colours(of: label, in: picture)
      if masked.contains(text) {
        #expect(colours == [ScreenMask.colour], "“\(text)” can be read on \(name)")
      } else {
        #expect(colours.count > 8, "“\(text)” cannot be read on \(name)")
      }
    }
    let snapshot = try #require(screen.hierarchy(MaskingRules()))
    let words = Set(snapshot.nodes.compactMap(\.text))
    #expect(words.isDisjoint(with: masked), "on \(name)")
    #expect(Set(stage.screen.texts).subtracting(masked).isSubset(of: words), "on \(name)")
    if let title = stage.screen.title { #expect(words.contains(title)) }
  }

  private static func views(in view: UIView) -> [UIView] { [view] + view.subviews.flatMap(views) }

  private static func colours(of label: UILabel, in picture: Picture) -> Set<UInt32> {
    let origin = label.convert(CGPoint.zero, to: nil)
    let (left, top) = (Int(origin.x * 0.8) + 1, Int(origin.y * 0.8) + 1)
    let (right, bottom) = (
      Int((origin.x + label.bounds.width) * 0.8) - 1, Int((origin.y + label.bounds.height) * 0.8) - 1
    )
    guard left < right, top < bottom else { return [] }
    return Set((top...bottom).flatMap { y in (left...right).map { picture.colour(x: $0, y: y) } })
  }

  private func keep(_ picture: Picture, _ name: String) {
    guard let directory = ProcessInfo.processInfo.environment["AUTOMOBILE_PICTURES"] else { return }
    let bytes = UnsafeMutableRawPointer(picture.pixels).assumingMemoryBound(to: UInt8.self)
    let surface = cairo_image_surface_create_for_data(
      bytes, CAIRO_FORMAT_RGB24, Int32(picture.width), Int32(picture.height), Int32(picture.bytesPerRow))
    cairo_surface_write_to_png(surface, "\(directory)/\(name).png")
    cairo_surface_destroy(surface)
  }
}
