import AutoMobileSDK
import Foundation
import ReplayTesting
import Testing

@testable import AutoMobileReplay

/// Capture with a screen that tests paint, and time that they move.
@MainActor @Suite struct `Capture` {
  private let screen = PaintedScreen()
  private let timers = NoTimers()
  private let time = TestTime()
  private let queue = DispatchQueue(label: "frames")
  private let sink = RecordedReplay()

  private func make(_ codec: (any PictureCodec)? = RawCodec()) -> ScreenCapture {
    let time = time
    return ScreenCapture(
      source: screen, codec: codec, timers: timers,
      clock: CaptureClock(now: { time.now }, uptime: { UInt64(time.now) * 1_000_000 }), queue: queue)
  }

  private func begin(_ capture: ScreenCapture) {
    capture.start(CaptureSettings(), sink: sink)
    capture.updateNow()
  }

  private func tick(_ capture: ScreenCapture) {
    time.now += 1000
    screen.colour &+= 1
    capture.tick()
  }

  @Test func `what is masked is noted, and the screen drawn a moment later, when it may still be`() {
    let capture = make()
    begin(capture)
    timers.isHeld = true
    tick(capture)
    // Ticks that come meanwhile change nothing.
    tick(capture)
    #expect(screen.prepared == 1 && screen.drawn == 0)
    timers.waiting?()
    #expect(screen.drawn == 1)
    tick(capture)
    screen.isInTransition = true
    timers.waiting?()
    #expect(screen.prepared == 2 && screen.drawn == 1)
    screen.isInTransition = false
    tick(capture)
    capture.pause()
    capture.updateNow()
    timers.waiting?()
    #expect(screen.prepared == 3 && screen.drawn == 1)
    capture.resume()
    capture.updateNow()
    tick(capture)
    timers.waiting?()
    #expect(screen.prepared == 4 && screen.drawn == 2)
  }

  @Test func `when encoding does not keep up, frames are dropped and counted, and a key frame tells it`() throws {
    let capture = make()
    begin(capture)
    queue.suspend()
    for _ in 0..<10 { tick(capture) }
    queue.resume()
    queue.sync {}
    tick(capture)
    queue.sync {}
    #expect(screen.drawn == FrameEncoding.maximumPictures + 1, "nothing is drawn that nobody can take")
    #expect(sink.droppedFrames == 6)
    let records = try sink.frames.flatMap { try FrameRecord.all(in: $0.bytes) }
    #expect(records.count == 5)
    #expect(records.filter { $0.flags.contains(.gap) }.map(\.droppedFrames) == [6])
    #expect(records.allSatisfy { $0.flags.contains(.key) == ($0 == records[0] || $0.flags.contains(.gap)) })
  }

  @Test func `after a stop nothing arrives, not even what was under way`() {
    let capture = make()
    begin(capture)
    queue.suspend()
    tick(capture)
    capture.stop()
    queue.resume()
    queue.sync {}
    tick(capture)
    queue.sync {}
    #expect(sink.frames.isEmpty)
    #expect(screen.drawn == 1)
  }

  @Test func `what was lost since it was last told is told at a stop, once`() {
    let capture = make()
    begin(capture)
    tick(capture)
    queue.sync {}
    queue.suspend()
    screen.fails = true
    tick(capture)
    tick(capture)
    screen.fails = false
    // This one would tell of both.
    tick(capture)
    screen.fails = true
    tick(capture)
    #expect(sink.droppedFrames == 0)
    capture.stop()
    #expect(sink.droppedFrames == 3)
    queue.resume()
    capture.updateNow()
    queue.sync {}
    #expect(sink.droppedFrames == 3 && sink.frames.count == 1)
  }

  @Test func `the next recording has frames of its own only, and begins with a key frame`() {
    let capture = make()
    begin(capture)
    tick(capture)
    queue.sync {}
    queue.suspend()
    tick(capture)
    let second = RecordedReplay()
    capture.start(CaptureSettings(), sink: second)
    capture.updateNow()
    queue.resume()
    tick(capture)
    queue.sync {}
    #expect(sink.frames.count == 1)
    #expect(second.frames.map(\.isKey) == [true])
  }

  @Test func `a picture is covered before it is compared and encoded`() throws {
    let capture = make()
    screen.mask = CGRect(x: 10, y: 20, width: 30, height: 40)
    begin(capture)
    tick(capture)
    queue.sync {}
    let record = try #require(try FrameRecord.all(in: sink.frames[0].bytes).first)
    let picture = try FramePlayer(codec: RawCodec()).show(record)
    #expect(picture.colour(x: 8, y: 16) == ScreenMask.colour && picture.colour(x: 31, y: 47) == ScreenMask.colour)
    #expect(picture.colour(x: 5, y: 16) != ScreenMask.colour && picture.colour(x: 36, y: 47) != ScreenMask.colour)
    // Only what is covered changes.
    screen.mask = CGRect(x: 0, y: 0, width: 1000, height: 1000)
    tick(capture)
    tick(capture)
    queue.sync {}
    #expect(sink.frames.count == 2)
  }

  @Test func `a screen that comes back is covered as it is now, and not as it was`() throws {
    let capture = make()
    begin(capture)
    let (open, other): (UInt32, UInt32) = (0xFF11_2233, 0xFF44_5566)
    let covered = CGRect(x: 10, y: 20, width: 30, height: 40)
    for (colour, mask) in [(open, nil), (other, nil), (open, covered), (other, covered), (open, covered), (open, nil)] {
      // A tick makes it the next colour.
      (screen.colour, screen.mask) = (colour - 1, mask)
      tick(capture)
      queue.sync {}
    }
    let player = FramePlayer(codec: RawCodec())
    let shown = try sink.frames.map { frame -> UInt32 in
      try player.show(#require(try FrameRecord.all(in: frame.bytes).first)).colour(x: 10, y: 18)
    }
    let mask = ScreenMask.colour
    #expect(shown == [open, other, mask, mask, mask, open])
    #expect(try FrameRecord.all(in: sink.frames[4].bytes)[0].tiles.isEmpty, "covered, it is remembered")
  }

  @Test func `an uncertain mask, no screen, or no codec: no frame`() {
    let capture = make()
    begin(capture)
    screen.mask = CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1)
    tick(capture)
    screen.mask = nil
    screen.fails = true
    tick(capture)
    screen.fails = false
    screen.shownSize = nil
    tick(capture)
    screen.shownSize = CGSize(width: CGFloat.infinity, height: 1e300)
    tick(capture)
    queue.sync {}
    #expect(sink.frames.isEmpty && sink.droppedFrames == 0)
    let without = make(nil)
    begin(without)
    let drawn = screen.drawn
    screen.shownSize = CGSize(width: 100, height: 100)
    tick(without)
    #expect(screen.drawn == drawn)
  }

  @Test func `a frame that the codec fails to encode is lost, and that is told`() throws {
    let codec = FailingCodec()
    let capture = make(codec)
    begin(capture)
    codec.fails = true
    tick(capture)
    queue.sync {}
    #expect(sink.losses == [CaptureLoss(frames: 1, reason: .slow, since: time.now)])
    codec.fails = false
    tick(capture)
    queue.sync {}
    #expect(sink.losses.count == 1)
    let record = try #require(try sink.frames.flatMap { try FrameRecord.all(in: $0.bytes) }.first)
    #expect(record.flags.contains(.gap) && record.droppedFrames == 1)
  }

  @Test func `a transition that does not end is told, and a short one is not`() {
    let capture = make()
    begin(capture)
    tick(capture)
    screen.isInTransition = true
    for _ in 0..<3 { tick(capture) }
    screen.isInTransition = false
    tick(capture)
    queue.sync {}
    #expect(sink.frames.count == 2 && sink.droppedFrames == 0)
    screen.isInTransition = true
    for _ in 0..<14 { tick(capture) }
    screen.isInTransition = false
    tick(capture)
    queue.sync {}
    #expect(sink.frames.count == 3)
    #expect(sink.droppedFrames == 10)
  }

  @Test func `snapshots are handed on when their content is another`() {
    let capture = make()
    begin(capture)
    for text in ["a", "a", "b", "b", "a"] {
      var snapshot = HierarchySnapshot(screen: "Menu", size: CGSize(width: 390, height: 844))
      var node = HierarchySnapshot.Node(.text, CGRect(x: 0.04, y: -0.55, width: 10.25, height: 5))
      node.text = text
      snapshot.nodes = [node]
      screen.snapshot = snapshot
      time.now += 2000
      capture.tickHierarchy()
      queue.sync {}
    }
    #expect(sink.lines.count == 3)
    #expect(
      sink.lines.first == """
        {"t":1002000,"screen":"Menu","w":390,"h":844,"nodes":[{"k":"text","x":0,"y":-0.6,"w":10.3,"h":5,"t":"a"}]}
        """)
  }

  @Test func `of another screen there is a wireframe as soon as it stands still, and not too often`() {
    let capture = make()
    begin(capture)
    func show(_ name: String, after milliseconds: Int64) {
      screen.snapshot = HierarchySnapshot(screen: name, size: CGSize(width: 390, height: 844))
      time.now += milliseconds
      capture.tick()
      queue.sync {}
    }
    func shown() -> [String] { ["Menu", "Drink", "Basket"].filter { sink.lines.last?.contains("\"\($0)\"") == true } }
    show("Menu", after: 0)
    #expect(shown() == ["Menu"] && sink.lines.count == 1, "the first one comes with the first picture")
    show("Menu", after: 1500)
    #expect(sink.lines.count == 1)
    screen.isInTransition = true
    show("Drink", after: 100)
    #expect(sink.lines.count == 1, "it is on its way")
    screen.isInTransition = false
    show("Drink", after: 100)
    #expect(shown() == ["Drink"] && sink.lines.count == 2)
    show("Basket", after: 100)
    #expect(sink.lines.count == 2, "so soon after another none is taken")
    show("Basket", after: 400)
    #expect(shown() == ["Basket"] && sink.lines.count == 3)
  }

  @Test func `when the queue does not keep up, few snapshots wait, and the next one makes up for the rest`() {
    let capture = make()
    begin(capture)
    queue.suspend()
    for number in 0..<20 {
      screen.snapshot = HierarchySnapshot(screen: "\(number)", size: .zero)
      capture.tickHierarchy()
    }
    queue.resume()
    queue.sync {}
    #expect(sink.lines.count == FrameEncoding.maximumSnapshots)
    capture.tickHierarchy()
    queue.sync {}
    #expect(sink.lines.last?.contains(#""screen":"19""#) == true)
  }

  @Test func `a masked node says nothing of what is in it`() {
    var node = HierarchySnapshot.Node(.input, CGRect(x: 0, y: 0, width: 10, height: 5))
    (node.isMasked, node.text, node.symbol) = (true, "secret", "secret")
    var snapshot = HierarchySnapshot(screen: "", size: .zero)
    snapshot.nodes = [node]
    let line = String(decoding: snapshot.content, as: UTF8.self)
    #expect(line.contains(#""m":true"#) && !line.contains("secret"))
  }
}
