import Testing
import UIKit

@testable import AutoMobileReplay

/// A frame of which nobody knows what must be covered is not taken; it is counted.
@MainActor @Suite(.serialized) struct `Frames that are uncertain` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  @Test func `a masked view that may be anywhere, and a screen without an image`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let field = Secret.field(place)
    screen.window.addSubview(field)
    screen.record()
    field.layer.simulateAnimation(opacity: 0.9)
    field.layer.simulateUncommitted()
    screen.record()
    screen.record()
    #expect(screen.losses.isEmpty, "nothing has told it yet")
    field.layer.simulateUncommitted(false)
    field.layer.simulateAnimationEnd()
    screen.window.addSubview(UILabel(frame: place))
    screen.record()
    let loss = try #require(screen.losses.first)
    #expect(screen.losses.count == 1 && loss.frames == 2 && loss.reason == .uncertain)
    // When the first of them was due, and not when they were told.
    #expect(loss.since == screen.time.milliseconds - 4000)
  }

  @Test func `when none can be taken for long, and before a pause, that is told without a frame`() {
    let screen = RecordedScreen()
    defer { screen.end() }
    let field = Secret.field(place)
    screen.window.addSubview(field)
    field.layer.simulateAnimation(opacity: 0.9)
    field.layer.simulateUncommitted()
    for _ in 0..<30 { screen.record() }
    #expect(screen.losses.map(\.frames) == [30] && screen.frames.isEmpty)
    screen.record()
    screen.pause()
    screen.settle()
    #expect(screen.losses.map(\.frames) == [30, 1])
  }

  @Test func `an exception while the screen is drawn costs that frame, and leaves no context behind`() throws {
    let screen = RecordedScreen { body in
      body()
      return SimulatedException.simulateCatch()
    }
    defer { screen.end() }
    let (view, field) = (UIView(frame: place), Secret.field(place))
    screen.window.addSubview(field)
    screen.window.addSubview(view)
    screen.record()
    #expect(screen.frames.count == 1 && UIGraphicsGetCurrentContext() == nil)
    view.simulatesException = true
    view.backgroundColor = .black
    screen.record()
    #expect(screen.frames.count == 1 && UIGraphicsGetCurrentContext() == nil)
    view.simulatesException = false
    screen.record()
    #expect(screen.frames.count == 2 && screen.losses.map(\.reason) == [.uncertain])
    #expect(try screen.secretPixels() == 0)
  }

  @Test func `the context of whoever was drawing stays the current one`() throws {
    let screen = RecordedScreen { body in
      body()
      return SimulatedException.simulateCatch()
    }
    defer { screen.end() }
    let view = UIView(frame: place)
    screen.window.addSubview(view)
    view.simulatesException = true
    let pixels = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    defer { pixels.deallocate() }
    let outer = try #require(
      CGContext(
        data: pixels, width: 1, height: 1, bitsPerComponent: 8, bytesPerRow: 4, space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue))
    UIGraphicsPushContext(outer)
    screen.record()
    #expect(UIGraphicsGetCurrentContext() === outer)
    UIGraphicsPopContext()
  }

  @Test func `what is masked deeper than a wireframe goes takes the words from what lies over it`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    screen.window.addSubview(Secret.label(place))
    var view: UIView = screen.window
    for _ in 0..<20 {
      let inner = UIView(frame: screen.window.bounds)
      view.addSubview(inner)
      view = inner
    }
    let mark = UIView(frame: place)
    Replay.mask(mark)
    view.addSubview(mark)
    screen.record()
    #expect(!screen.textIsRecorded && screen.lines.count == 1)
  }
}
