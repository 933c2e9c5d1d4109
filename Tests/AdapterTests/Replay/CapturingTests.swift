import AutoMobileSDK
import Foundation
import ReplayTesting
import Testing
import UIKit

@testable import AutoMobileReplay

/// Capture of real windows, from the main thread to the sink.
@MainActor @Suite(.serialized) struct `Recording the screen` {
  private func label(_ text: String) -> UILabel {
    let label = UILabel(frame: CGRect(x: 20, y: 100, width: 300, height: 40))
    label.text = text
    return label
  }

  @Test func `nothing is recorded of a screen that stands`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    screen.window.addSubview(label("Flat white"))
    for _ in 0..<20 { screen.record() }
    #expect(screen.frames.count == 1 && screen.lines.count == 1)
    #expect(screen.frames.first?.isKey == true)
  }

  @Test func `what changes is recorded, and no more of it`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let label = label("Flat white")
    screen.window.addSubview(label)
    screen.record()
    label.text = "Cortado"
    screen.record()
    #expect(screen.frames.map(\.isKey) == [true, false])
    #expect(screen.lines.count == 2 && screen.lines[1].contains(#""t":"Cortado""#))
    let record = try #require(try FrameRecord.all(in: screen.frames[1].bytes).first)
    #expect(record.tiles.count < 10 && record.width == 312 && record.height == 675 && record.scale == 205)
    #expect(record.timestamp == screen.frames[1].timestamp)
  }

  @Test func `no pixel is read while the keyboard moves, and for a moment after that`() {
    let screen = RecordedScreen()
    defer { screen.end() }
    screen.record()
    let label = label("a")
    screen.window.addSubview(label)
    NotificationCenter.default.post(name: UIResponder.keyboardWillShowNotification, object: nil)
    screen.record(after: 400)
    #expect(screen.frames.count == 1)
    NotificationCenter.default.post(name: UIResponder.keyboardDidShowNotification, object: nil)
    screen.record(after: 449)
    #expect(screen.frames.count == 1)
    screen.record(after: 400)
    #expect(screen.frames.count == 2)
    NotificationCenter.default.post(name: UIResponder.keyboardDidHideNotification, object: nil)
  }

  @Test func `nothing is read of a map while it moves`() {
    let screen = RecordedScreen()
    defer { screen.end() }
    let map = MKMapView(frame: screen.window.bounds)
    screen.window.addSubview(map)
    let label = label("a")
    screen.window.addSubview(label)
    screen.record()
    #expect(screen.frames.count == 1 && screen.lines.count == 1)
    for step in 1...3 {
      map.simulateMove(to: CGRect(x: step, y: 0, width: 100, height: 100))
      label.text = "moving \(step)"
      screen.record(after: 333)
    }
    #expect(screen.frames.count == 1 && screen.lines.count == 1)
    screen.record(after: 333)
    #expect(screen.frames.count == 2 && screen.lines.count == 2, "it has come to rest")
    map.simulateMove(to: .zero)
    map.removeFromSuperview()
    label.text = "gone"
    screen.record(after: 333)
    #expect(screen.frames.count == 3, "one that is gone holds nothing up")
  }

  @Test func `a walk that takes too long ends with what it has`() {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    for _ in 0..<50 { window.addSubview(label("a")) }
    var snapshot = HierarchySnapshot(screen: "Menu", size: window.bounds.size)
    snapshot.add(window, MaskingRules(), until: 1, uptime: { 1 })
    #expect(snapshot.nodes.isEmpty)
    snapshot.add(window, MaskingRules(), until: 1, uptime: { 0 })
    #expect(snapshot.nodes.count == 50)
    #expect(HierarchyRecorder.budget == 16_000_000)
  }

  @Test func `no pixel is read while one screen makes room for another`() {
    let screen = RecordedScreen()
    defer { screen.end() }
    let controller = UIViewController()
    let sheet = UIViewController()
    screen.window.rootViewController = controller
    controller.present(sheet, animated: true)
    sheet.simulateTransition(true)
    screen.record()
    #expect(screen.frames.isEmpty)
    sheet.simulateTransition(false)
    screen.record()
    #expect(screen.frames.count == 1)
  }

  @Test func `wireframes are recorded without reading a pixel`() {
    var settings = CaptureSettings()
    settings.mode = .wireframes
    let screen = RecordedScreen(settings)
    defer { screen.end() }
    screen.window.addSubview(label("Flat white"))
    screen.record()
    #expect(screen.frames.isEmpty && screen.lines.count == 1)
  }

  @Test func `a pause records nothing, and ends with a key frame`() {
    let screen = RecordedScreen()
    defer { screen.end() }
    let label = label("a")
    screen.window.addSubview(label)
    screen.record()
    screen.pause()
    label.text = "b"
    screen.record()
    #expect(screen.frames.count == 1)
    screen.resume()
    screen.record()
    #expect(screen.frames.map(\.isKey) == [true, true])
    label.text = "c"
    screen.requestKeyFrame()
    screen.record()
    #expect(screen.frames.map(\.isKey) == [true, true, true])
  }

  @Test func `a snapshot says what is where`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let label = label("Flat \"white\"\n\u{1}☕️")
    label.textColor = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    label.backgroundColor = .black
    screen.window.addSubview(label)
    let field = UITextField(frame: CGRect(x: 20, y: 200.25, width: 300, height: 40))
    field.text = "typed"
    screen.window.addSubview(field)
    screen.record()
    let line = try #require(screen.lines.first)
    let snapshot = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(
      snapshot["screen"] as? String == "Menu" && snapshot["w"] as? Double == 390 && snapshot["h"] as? Double == 844)
    let nodes = try #require(snapshot["nodes"] as? [[String: Any]])
    #expect(nodes.map { $0["k"] as? String } == ["view", "text", "input"])
    #expect(nodes[1]["t"] as? String == "Flat \"white\"\n\u{1}☕️")
    #expect(nodes[1]["fc"] as? String == "#ff8000" && nodes[1]["c"] as? String == "#000000")
    #expect(nodes[1]["f"] as? Double == 17 && nodes[1]["y"] as? Double == 100)
    #expect(nodes[2]["m"] as? Bool == true && nodes[2]["t"] == nil && nodes[2]["y"] as? Double == 200.3)
  }

  @Test func `a walk ends twelve levels down`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    var view: UIView = screen.window
    for level in 1...20 {
      let inner = UILabel(frame: CGRect(x: 1, y: 1, width: 300, height: 300))
      inner.text = "level \(level)"
      view.addSubview(inner)
      view = inner
    }
    screen.record()
    let line = try #require(screen.lines.first)
    #expect(line.contains("level 12") && !line.contains("level 13"))
  }

  @Test func `JPEG pictures look like the screen`() throws {
    let codec = LibJPEGCodec()
    let screen = SyntheticScreen.form()
    let picture = Picture.make(312, 675)
    picture.draw(screen.window, pixelsPerPoint: 0.8)
    let bytes = try #require(codec.encode(picture.pixels, width: 312, height: 675, quality: 0.5))
    let decoded = try #require(codec.decode(bytes))
    #expect(picture.psnr(decoded) > 30)
    for length in [0, 1, 20, bytes.count / 2] { _ = codec.decode(bytes.prefix(length)) }
    #expect(codec.decode(Data("no JPEG".utf8)) == nil)
  }
}
