import Foundation
import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// A18: touches in windows, and what is told of what they hit. One at a time: the tracker is the shared one.
@MainActor @Suite(.serialized) struct TouchTests {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  private let tracker = AutoMobileInteractionTracker.shared

  private func observed(_ body: (AdapterHarness) async throws -> Void) async throws {
    let harness = AdapterHarness([.interaction(tracker)])
    tracker.setEnabled(true)
    await turn()
    do { try await body(harness) } catch { Issue.record(error) }
    await harness.end()
    #expect(SimulatedMethods.count == 0, "the window's method is as it was")
  }

  private func put(_ view: UIView, _ frame: CGRect, in parent: UIView? = nil) {
    view.frame = frame
    (parent ?? window).addSubview(view)
  }

  @Test func `A18: a tap on a button is recorded by itself, with its title and identifier, and the button works`()
    async throws
  {
    try await observed { harness async throws in
      let button = UIButton()
      button.setTitle("Order", for: .normal)
      button.accessibilityIdentifier = "order"
      button.accessibilityLabel = "Order now"
      var isPressed = false
      button.addAction(UIAction { _ in isPressed = true }, for: .touchUpInside)
      put(button, CGRect(x: 100, y: 200, width: 100, height: 44))
      window.simulateTap(at: CGPoint(x: 150.26, y: 220))
      #expect(isPressed)
      let tap = try #require(try harness.events(SdkInteractionEvent.self).first)
      #expect(tap.interactionType == "tap")
      #expect(
        tap.properties == [
          "x": "150.3", "y": "220.0", "viewType": "UIButton", "text": "Order", "accessibilityLabel": "Order now",
          "accessibilityIdentifier": "order",
        ])
    }
  }

  @Test func `A18: nothing is observed until it is enabled, and nothing after it is disabled`() async throws {
    try await observed { harness async throws in
      tracker.setEnabled(false)
      await turn()
      #expect(SimulatedMethods.count == 0)
      window.simulateTap(at: CGPoint(x: 1, y: 1), time: 1)
      tracker.setEnabled(true)
      tracker.setEnabled(true)
      await turn()
      #expect(SimulatedMethods.count == 1)
      window.simulateTap(at: CGPoint(x: 1, y: 1), time: 3)
      #expect(try harness.events(SdkInteractionEvent.self).count == 1)
    }
  }

  @Test func `A18: a tap in a cell tells of the cell and its first label`() async throws {
    final class ProductCell: UITableViewCell {}
    try await observed { harness async throws in
      let cell = ProductCell(frame: CGRect(x: 0, y: 100, width: 390, height: 60))
      let (title, field) = (UILabel(), UITextField())
      title.text = "Flat white"
      field.text = "4111 1111 1111 1111"
      put(field, CGRect(x: 300, y: 0, width: 90, height: 60), in: cell.contentView)
      put(title, CGRect(x: 0, y: 0, width: 200, height: 60), in: cell.contentView)
      window.addSubview(cell)
      window.simulateTap(at: CGPoint(x: 20, y: 120))
      let tap = try #require(try harness.events(SdkInteractionEvent.self).first)
      #expect(tap.properties["viewType"] == "ProductCell" && tap.properties["text"] == "Flat white")
    }
  }

  @Test func `A18: what is in fields is never told, whether typed secretly or not`() async throws {
    try await observed { harness async throws in
      let (secret, name, note, search) = (UITextField(), UITextField(), UITextView(), UISearchBar())
      secret.isSecureTextEntry = true
      secret.text = "hunter2"
      secret.accessibilityLabel = "Password"
      name.text = "Ada Lovelace"
      name.accessibilityLabel = "Name: Ada Lovelace"
      name.accessibilityIdentifier = "name"
      note.text = "Dear diary"
      note.accessibilityLabel = "Diary"
      for (index, view) in [secret, name, note, search].enumerated() {
        put(view, CGRect(x: 0, y: Double(index) * 100, width: 390, height: 80))
      }
      search.searchTextField.text = "clinic near me"
      for index in 0..<4 {
        window.simulateTap(at: CGPoint(x: 10, y: Double(index) * 100 + 10), time: Double(index + 1) * 10)
      }
      let taps = try harness.events(SdkInteractionEvent.self).map(\.properties)
      #expect(taps.map { $0["viewType"] } == ["UITextField", "UITextField", "UITextView", "UISearchTextField"])
      #expect(taps.allSatisfy { $0["text"] == nil })
      #expect(taps[1]["accessibilityIdentifier"] == "name")
      // A label that does not repeat what is in the field may be told, but never of a secure one.
      #expect(taps.map { $0["accessibilityLabel"] } == [nil, nil, "Diary", nil])
    }
  }

  @Test func `A18: hidden, transparent and insensitive views are not what was hit`() async throws {
    try await observed { harness async throws in
      let button = UIButton()
      put(button, CGRect(x: 0, y: 0, width: 390, height: 400))
      for (index, change) in [
        { $0.isHidden = true }, { $0.alpha = 0.005 }, { $0.isUserInteractionEnabled = false },
      ].enumerated() as EnumeratedSequence<[(UIView) -> Void]> {
        let cover = UISwitch()
        change(cover)
        put(cover, CGRect(x: 0, y: 0, width: 390, height: 400))
        window.simulateTap(at: CGPoint(x: 5, y: 5), time: Double(index + 1) * 10)
      }
      #expect(try harness.events(SdkInteractionEvent.self).allSatisfy { $0.properties["viewType"] == "UIButton" })
      #expect(try harness.events(SdkInteractionEvent.self).count == 3)
    }
  }

  @Test func `A18: a drag over a list is a scroll, elsewhere a swipe, and two fingers pinch`() async throws {
    try await observed { harness async throws in
      let list = UIScrollView()
      list.accessibilityIdentifier = "menu"
      put(list, CGRect(x: 0, y: 0, width: 390, height: 400))
      list.contentSize = CGSize(width: 390, height: 4000)
      for y in [300.0, 800] {
        let finger = SimulatedFingers(on: window)
        finger.down(CGPoint(x: 100, y: y), at: 1)
        finger.move(CGPoint(x: 100, y: y - 100), at: 1.1)
        finger.up(at: 1.2)
      }
      let two = SimulatedFingers(on: window)
      two.down(CGPoint(x: 100, y: 600), CGPoint(x: 200, y: 600), at: 5)
      two.move(CGPoint(x: 50, y: 600), CGPoint(x: 250, y: 600), at: 5.2)
      two.up(at: 5.3)
      let events = try harness.events(SdkInteractionEvent.self)
      #expect(events.map(\.interactionType) == ["scroll", "swipe", "pinch"])
      #expect(events[0].properties["accessibilityIdentifier"] == "menu" && events[0].properties["direction"] == "up")
      #expect(events[2].properties["scale"] == "2.0")
    }
  }

  @Test func `A18: a call that takes the touch away, and shaking the device, are no gestures`() async throws {
    try await observed { harness async throws in
      let finger = SimulatedFingers(on: window)
      finger.down(CGPoint(x: 1, y: 1), at: 1)
      finger.cancel(at: 1.1)
      SimulatedFingers.shake(window)
      #expect(try harness.events(SdkInteractionEvent.self).isEmpty)
    }
  }

  @Test func `A18: taps on the keyboard never count`() async throws {
    try await observed { harness async throws in
      let frame = CGRect(x: 0, y: 500, width: 390, height: 344)
      SimulatedKeyboard.simulateKey(at: CGPoint(x: 10, y: 600), time: 1)
      SimulatedKeyboard.simulateShow(covering: frame)
      // Should a window of the app's be told of them.
      window.simulateTap(at: CGPoint(x: 10, y: 600), time: 2)
      #expect(try harness.events(SdkInteractionEvent.self).isEmpty)
      window.simulateTap(at: CGPoint(x: 10, y: 400), time: 3)
      SimulatedKeyboard.simulateHide(from: frame)
      window.simulateTap(at: CGPoint(x: 10, y: 600), time: 4)
      #expect(try harness.events(SdkInteractionEvent.self).count == 2)
    }
  }

  @Test func `A18: three quick taps on one spot are a rage tap`() async throws {
    try await observed { harness async throws in
      let button = UIButton()
      put(button, CGRect(x: 0, y: 0, width: 100, height: 100))
      for time in [1.0, 1.2, 1.4] { window.simulateTap(at: CGPoint(x: 10, y: 10), time: time) }
      #expect(try harness.events(SdkInteractionEvent.self).map(\.interactionType) == ["tap", "tap", "tap", "rage_tap"])
    }
  }

  @Test func `a code that is entered on a masked pad cannot be read from what was touched`() async throws {
    try await observed { harness async throws in
      let pad = UIView()
      put(pad, CGRect(x: 45, y: 400, width: 300, height: 400))
      for digit in 0..<12 {
        let key = UIButton()
        key.setTitle("\(digit)", for: .normal)
        (key.accessibilityIdentifier, key.accessibilityLabel) = ("key-\(digit)", "\(digit)")
        put(key, CGRect(x: Double(digit % 3) * 100, y: Double(digit / 3) * 100, width: 100, height: 100), in: pad)
      }
      MaskMarks.shared.set(.mask, for: pad)
      for (index, digit) in [4, 4, 4, 7].enumerated() {
        let key = CGPoint(x: 95 + Double(digit % 3) * 100, y: 450 + Double(digit / 3) * 100)
        // The pad is gone with the last key, as soon as that is touched.
        let finger = SimulatedFingers(on: window)
        finger.down(key, at: 1 + Double(index) * 0.2)
        if index == 3 { pad.removeFromSuperview() }
        finger.up(at: 1.1 + Double(index) * 0.2)
      }
      window.addSubview(pad)
      // A shape that is drawn there.
      let finger = SimulatedFingers(on: window)
      finger.down(CGPoint(x: 60, y: 410), at: 10)
      finger.move(CGPoint(x: 330, y: 410), at: 10.1)
      finger.up(at: 10.2)
      let events = try harness.events(SdkInteractionEvent.self)
      #expect(events.map(\.interactionType) == ["tap", "tap", "tap", "tap", "swipe"])
      let told = ["x": "195.0", "y": "600.0", "viewType": "UIView"]
      #expect(events.dropLast().allSatisfy { $0.properties == told })
      #expect(events.last?.properties == told.merging(["durationMs": "200"]) { $1 })
    }
  }

  @Test func `A18: dead is a tap on nothing, but not on what is interactive, rolls, or answers`() async throws {
    try await observed { harness async throws in
      let (nothing, off, card, rolling) = (UIView(), UIButton(), UIView(), UIScrollView())
      off.isEnabled = false
      card.addGestureRecognizer(UITapGestureRecognizer(target: nil, action: nil))
      let link = UIView()
      link.accessibilityTraits = .link
      let field = UITextField()
      for (index, view) in [nothing, off, card, rolling, link, field].enumerated() {
        view.accessibilityIdentifier = "\(index)"
        put(view, CGRect(x: 0, y: Double(index) * 100, width: 390, height: 90))
      }
      rolling.simulateDeceleration()
      for index in 0..<6 {
        window.simulateTap(at: CGPoint(x: 10, y: Double(index) * 100 + 10), time: Double(index + 1) * 10)
      }
      #expect(try await eventually { try dead(harness).count >= 2 })
      #expect(try dead(harness) == ["0", "1"])
      window.simulateTap(at: CGPoint(x: 10, y: 10), time: 100)
      field.simulateEditing()
      field.simulateTyping("a")
      window.simulateTap(at: CGPoint(x: 10, y: 110), time: 101)
      #expect(try await eventually { try dead(harness).count >= 3 })
      #expect(try dead(harness) == ["0", "1", "1"], "the first one was answered")
    }
  }

  private func dead(_ harness: AdapterHarness) throws -> [String] {
    try harness.events(SdkInteractionEvent.self).filter { $0.interactionType == "dead_tap" }
      .compactMap { $0.properties["accessibilityIdentifier"] }
  }

  @Test func `A18: recordTap(from:in:) tells what is under the recognizer, once with the automatic tap`() async throws {
    try await observed { harness async throws in
      let (card, label) = (UIView(), UILabel())
      label.text = "Espresso"
      label.isUserInteractionEnabled = true
      put(card, CGRect(x: 100, y: 100, width: 200, height: 100))
      put(label, CGRect(x: 10, y: 10, width: 100, height: 20), in: card)
      let tracker = tracker
      var count = 0
      nonisolated(unsafe) var recognizer: UITapGestureRecognizer?
      let target = AMBlockTarget { _ in
        MainActor.assumeIsolated {
          count += 1
          if let recognizer { tracker.recordTap(from: recognizer, in: card) }
        }
      }
      let tap = UITapGestureRecognizer(target: target, action: AMBlockTarget.action)
      recognizer = tap
      card.addGestureRecognizer(tap)
      let now = Double(Clocks.uptimeMilliseconds()) / 1000
      window.simulateTap(at: CGPoint(x: 115, y: 115), time: now - 0.05)
      #expect(count == 1)
      let events = try harness.events(SdkInteractionEvent.self)
      #expect(events.count == 1)
      #expect(events.first?.properties["text"] == "Espresso")
      // Alone, without the window's own.
      tracker.reset()
      tracker.start(try #require(harness.sdk.getEventBuffer()), currentScreen: nil)
      tracker.recordTap(from: tap, in: card)
      #expect(try harness.events(SdkInteractionEvent.self).count == 1, "off until it is enabled")
      tracker.setEnabled(true)
      tracker.recordTap(from: tap, in: card)
      let manual = try #require(try harness.events(SdkInteractionEvent.self).last)
      #expect(manual.properties["x"] == "115.0" && manual.properties["text"] == "Espresso")
      #expect(manual.properties["viewType"] == "UIView")
    }
  }

  @Test(
    "A18: hostile texts on views are bounded",
    arguments: [String(repeating: "👩‍👩‍👧‍👦", count: 1 << 16), String(repeating: "x", count: 1 << 20), "a\0b\u{202E}"])
  func hostile(text: String) async throws {
    try await observed { harness async throws in
      let button = UIButton()
      button.setTitle(text, for: .normal)
      button.accessibilityLabel = text
      button.accessibilityIdentifier = text
      put(button, CGRect(x: 0, y: 0, width: 100, height: 100))
      window.simulateTap(at: CGPoint(x: 10, y: 10))
      let tap = try #require(try harness.events(SdkInteractionEvent.self).first)
      for key in ["text", "accessibilityLabel", "accessibilityIdentifier"] {
        #expect((tap.properties[key]?.utf8.count ?? 0) <= TapTarget.maximumLength + 3)
        #expect(tap.properties[key]?.isEmpty == false)
      }
    }
  }

  @Test func `a view that is gone when the finger leaves, and a tree a thousand deep, are survived`() async throws {
    try await observed { harness async throws in
      var deepest: UIView = window
      for _ in 0..<1000 {
        let view = UIView(frame: window.bounds)
        deepest.addSubview(view)
        deepest = view
      }
      window.simulateTap(at: CGPoint(x: 10, y: 10), time: 1)
      var gone: UIButton? = UIButton(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
      let finger = SimulatedFingers(on: window)
      if let gone { window.addSubview(gone) }
      finger.down(CGPoint(x: 10, y: 10), at: 10)
      gone?.removeFromSuperview()
      gone = nil
      finger.up(at: 10.1)
      #expect(try harness.events(SdkInteractionEvent.self).map(\.interactionType) == ["tap", "tap"])
    }
  }
}
