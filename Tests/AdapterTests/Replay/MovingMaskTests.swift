import Testing
import UIKit

@testable import AutoMobileInterface
@testable import AutoMobileReplay

/// Does something while the screen is drawn: animations do not wait for that.
private final class DrawHook: UIView {
  var hook: () -> Void = {}
  override func draw(_ rect: CGRect) { hook() }
}

/// What is on its way, and what has just gone: a mask covers both where a view is shown and where it will be.
@MainActor @Suite(.serialized) struct `What is masked while it changes` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  private func expectHidden(
    _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    show: (RecordedScreen, UITextField) throws -> Void
  ) throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let field = Secret.field(place)
    screen.window.addSubview(field)
    try show(screen, field)
    #expect(try screen.secretPixels() == 0, comment, sourceLocation: sourceLocation)
    #expect(!screen.textIsRecorded, comment, sourceLocation: sourceLocation)
    #expect(!screen.frames.isEmpty, comment, sourceLocation: sourceLocation)
  }

  @Test func `what fades out, is being hidden, or shrinks away`() throws {
    try expectHidden("fades out") { screen, field in
      field.alpha = 0
      field.layer.simulateAnimation(opacity: 0.7)
      screen.record()
      let covered = try screen.maskedPixels()
      #expect(covered > 100)
    }
    try expectHidden("in something that fades out") { screen, field in
      let sheet = UIView(frame: screen.window.bounds)
      screen.window.addSubview(sheet)
      sheet.addSubview(field)
      sheet.alpha = 0
      sheet.layer.simulateAnimation(opacity: 0.7)
      screen.record()
    }
    try expectHidden("is being hidden") { screen, field in
      field.isHidden = true
      field.layer.simulateAnimation(isHidden: false)
      screen.record()
    }
    try expectHidden("shrinks to nothing") { screen, field in
      field.transform = CGAffineTransform(scaleX: 0.001, y: 0.001)
      field.layer.simulateAnimation(transform: CGAffineTransform(rotationAngle: 0.4))
      screen.record()
    }
    try expectHidden("sticks out of what will clip it, and does not yet") { screen, field in
      let card = UIView(frame: CGRect(x: 40, y: 200, width: 200, height: 10))
      card.clipsToBounds = true
      screen.window.addSubview(card)
      card.addSubview(field)
      field.frame = CGRect(x: 0, y: 20, width: 200, height: 60)
      card.layer.simulateAnimation(showing: CGRect(x: 40, y: 200, width: 200, height: 100), cornerRadius: 30)
      screen.record()
    }
    try expectHidden("scrolls on its own") { screen, field in
      let list = UIScrollView(frame: screen.window.bounds)
      screen.window.addSubview(list)
      list.addSubview(field)
      list.contentOffset.y = 2000
      list.layer.simulateAnimation(boundsOrigin: CGPoint(x: 0, y: 150))
      screen.record()
    }
    try expectHidden("in something that is masked and fades out in there") { screen, field in
      let card = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
      Replay.mask(card)
      screen.window.addSubview(card)
      card.addSubview(field)
      field.alpha = 0
      field.layer.simulateAnimation(opacity: 0.5)
      screen.record()
    }
  }

  @Test func `where it will be is covered as well as where it is`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let field = UITextField(frame: place)
    screen.window.addSubview(field)
    field.layer.simulateAnimation(showing: place.offsetBy(dx: 0, dy: 200))
    screen.record()
    #expect(try screen.maskedPixels() > 2 * 160 * 48)
  }

  @Test func `what moves while the screen is drawn is covered on its way`() throws {
    try expectHidden("from one place to another, and seen between the two") { screen, field in
      let way = [0.0, 150, 300].map { place.offsetBy(dx: 0, dy: $0) }
      let (first, last) = (DrawHook(frame: screen.window.bounds), DrawHook(frame: screen.window.bounds))
      screen.window.addSubview(first)
      screen.window.addSubview(field)
      screen.window.addSubview(last)
      field.frame = way[2]
      field.layer.simulateAnimation(showing: way[0])
      first.hook = { field.layer.simulateAnimation(showing: way[1]) }
      last.hook = { field.layer.simulateAnimation(showing: way[2]) }
      screen.record()
    }
  }

  @Test func `what is removed in the turn in which a picture is due`() throws {
    for isLate in [false, true] {
      try expectHidden("removed, \(isLate)") { screen, field in
        screen.record()
        screen.record(isLate: isLate) { field.removeFromSuperview() }
      }
      try expectHidden("hidden, \(isLate)") { screen, field in
        screen.record()
        screen.record(isLate: isLate) { field.isHidden = true }
      }
      try expectHidden("with all that it was in, \(isLate)") { screen, field in
        let sheet = UIView(frame: screen.window.bounds)
        screen.window.addSubview(sheet)
        sheet.addSubview(field)
        screen.record()
        screen.record(isLate: isLate) { sheet.removeFromSuperview() }
      }
      try expectHidden("a label that is used again, \(isLate)") { screen, field in
        let label = Secret.label(place)
        screen.window.addSubview(label)
        field.removeFromSuperview()
        Replay.mask(label)
        screen.record()
        screen.record(isLate: isLate) {
          label.text = "Flat white"
          label.textColor = .black
          MaskMarks.shared.set(nil, for: label)
        }
      }
    }
    try expectHidden("gone for good, so that another view may be where it was") { screen, field in
      field.removeFromSuperview()
      var label: UILabel? = Secret.label(place)
      label.map {
        Replay.mask($0); screen.window.addSubview($0)
      }
      screen.record()
      screen.record(isLate: true) {
        label?.removeFromSuperview()
        label = nil
        let other = UITextField(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        screen.window.addSubview(other)
      }
    }
  }

  @Test func `what came and went between two pictures`() throws {
    try expectHidden("it was in no picture") { screen, field in
      field.removeFromSuperview()
      screen.record()
      screen.window.addSubview(field)
      screen.record { field.removeFromSuperview() }
    }
    try expectHidden("it jumps") { screen, field in
      screen.record()
      screen.record { field.frame.origin.y = 700 }
      let list = UIScrollView(frame: screen.window.bounds)
      screen.window.addSubview(list)
      list.addSubview(field)
      screen.record()
      screen.record { list.contentOffset.y = 400 }
    }
  }

  @Test func `what is gone is covered where it has been scrolled to`() throws {
    try expectHidden("scrolled and removed") { screen, field in
      let list = UIScrollView(frame: screen.window.bounds)
      screen.window.addSubview(list)
      list.addSubview(field)
      screen.record()
      list.contentOffset.y = 200
      screen.record(isLate: true) { field.removeFromSuperview() }
    }
  }

  @Test func `what was there before a transition, as long as that runs`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let container = UIView(frame: screen.window.bounds)
    screen.window.addSubview(container)
    container.addSubview(Secret.field(place))
    screen.record()
    container.subviews.forEach { $0.removeFromSuperview() }
    // As Core Animation blends what was there with what is there: nobody would cover a label.
    container.addSubview(Secret.label(place))
    container.layer.add(CATransition(), forKey: nil)
    for _ in 0..<3 { screen.record() }
    #expect(try screen.secretPixels() == 0)
    // It is over, and nothing but the new screen is there.
    container.layer.removeAnimation(forKey: kCATransition)
    container.subviews.forEach { $0.removeFromSuperview() }
    screen.record()
    screen.record()
    #expect(try screen.maskedPixels() == 0)
  }

  @Test func `a window that is turned, or on its way, is in no picture`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    screen.window.addSubview(Secret.field(place))
    screen.record()
    let frames = screen.frames.count
    screen.window.transform = CGAffineTransform(scaleX: 0.9, y: 0.9)
    screen.window.backgroundColor = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    screen.record()
    #expect(screen.frames.count == frames)
    screen.window.transform = .identity
    screen.window.layer.simulateAnimation(transform: CGAffineTransform(scaleX: 0.9, y: 0.9))
    screen.window.backgroundColor = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    screen.record()
    #expect(screen.frames.count == frames)
    screen.window.layer.simulateAnimationEnd()
    screen.record()
    #expect(screen.frames.count == frames + 1)
    #expect(try screen.secretPixels() == 0)
  }

  @Test func `a window in front that is turned is left out, and the others are recorded`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    screen.window.addSubview(Secret.field(place))
    let bubble = UIWindow(windowScene: screen.scene)
    bubble.frame = CGRect(x: 20, y: 600, width: 200, height: 100)
    bubble.addSubview(Secret.field(CGRect(x: 0, y: 0, width: 200, height: 100)))
    bubble.transform = CGAffineTransform(rotationAngle: 0.5)
    screen.record()
    #expect(screen.frames.count == 1 && screen.losses.isEmpty)
    #expect(try screen.secretPixels() == 0)
    #expect(try screen.maskedPixels() < 2 * 160 * 48, "of that in the window that is not there, nothing")
    // It comes, and is drawn as it was before.
    screen.record(isLate: true) {
      bubble.transform = .identity
      bubble.subviews.forEach { $0.frame.origin.y = 60 }
    }
    screen.record()
    #expect(screen.frames.count == 3)
    #expect(try screen.secretPixels() == 0)
  }

  @Test func `what is gone is covered once, and what may be seen again is seen`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let field = UITextField(frame: place)
    screen.window.addSubview(field)
    screen.record()
    #expect(try screen.maskedPixels() > 100)
    field.removeFromSuperview()
    screen.record()
    screen.record()
    #expect(try screen.maskedPixels() == 0)
  }
}
