import Testing
import UIKit

@testable import AutoMobileReplay

/// A shadow has the shape of what throws it: of a text, too.
@MainActor @Suite(.serialized) struct `Shadows` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  private func record(_ build: (UIWindow) -> Void) throws -> (seen: Int, covered: Int) {
    let recorded = RecordedScreen()
    defer { recorded.end() }
    build(recorded.window)
    recorded.record()
    #expect(recorded.frames.count == 1)
    return (try recorded.secretPixels(), try recorded.maskedPixels())
  }

  private func throwShadow(_ view: UIView, _ y: CGFloat = 70) {
    view.layer.shadowOpacity = 1
    view.layer.shadowOffset = CGSize(width: 0, height: y)
    view.layer.shadowColor = Secret.colour.cgColor
  }

  private func label(_ frame: CGRect) -> UILabel {
    let label = Secret.label(frame)
    Replay.mask(label)
    return label
  }

  @Test func `of what is masked, and of what that is in`() throws {
    #expect(
      try record { window in
        let label = Secret.label(place)
        throwShadow(label)
        window.addSubview(label)
      }.seen > 40)
    let own = try record { window in
      let label = label(place)
      throwShadow(label)
      window.addSubview(label)
    }
    #expect(own.seen == 0 && own.covered > 100)
    let outer = try record { window in
      let (sheet, card) = (UIView(frame: window.bounds), UIView(frame: window.bounds))
      throwShadow(sheet, 150)
      throwShadow(card)
      sheet.addSubview(card)
      card.addSubview(label(place))
      window.addSubview(sheet)
    }
    #expect(outer.seen == 0)
    let clipped = try record { window in
      let card = UIView(frame: place)
      throwShadow(card, 100)
      let clip = UIView(frame: CGRect(x: 0, y: 0, width: 200, height: 60))
      clip.clipsToBounds = true
      clip.addSubview(label(clip.bounds))
      card.addSubview(clip)
      window.addSubview(card)
    }
    #expect(clipped.seen == 0)
  }

  @Test func `of a colour behind it, and along a path, cover nothing more`() throws {
    let plain = try record { window in window.addSubview(label(place)) }.covered
    let coloured = try record { window in
      let card = UIView(frame: CGRect(x: 0, y: 200, width: 390, height: 300))
      card.backgroundColor = .white
      throwShadow(card)
      card.layer.shadowColor = UIColor.black.cgColor
      card.addSubview(label(CGRect(x: 40, y: 100, width: 200, height: 60)))
      window.addSubview(card)
    }
    #expect(coloured.covered == plain)
    let path = try record { window in
      let label = label(place)
      throwShadow(label)
      label.layer.shadowPath = CGPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10), transform: nil)
      window.addSubview(label)
    }
    #expect(path.covered == plain)
  }
}
