import Testing
import UIKit

@testable import AutoMobileReplay

/// Screens of more than one scene, and what is not on any.
@MainActor @Suite(.serialized) struct `Recording several scenes` {
  private let place = CGRect(x: 40, y: 300, width: 200, height: 60)

  /// A second scene, as on an iPad or on a display that was plugged in.
  private func connect(_ size: CGSize, onOtherScreen: Bool = false) -> (scene: UIWindowScene, window: UIWindow) {
    let scene = UIWindowScene()
    scene.simulateResize(to: size)
    UIApplication.shared.simulateConnection(of: scene, onOtherScreen: onOtherScreen)
    let window = UIWindow(windowScene: scene)
    window.backgroundColor = .white
    return (scene, window)
  }

  @Test func `each scene that is seen has its own part of the picture, in the order in which they came`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    screen.record()
    for isOther in [false, true] {
      let other = connect(CGSize(width: 300, height: 500), onOtherScreen: isOther)
      defer { UIApplication.shared.simulateDisconnection(of: other.scene) }
      other.window.addSubview(Secret.label(place))
      screen.record()
      let picture = try #require(try screen.pictures().last)
      #expect(picture.width == 552 && picture.height == 675)
      let secret = (0..<picture.count).filter { Secret.isShown(picture.pixels[$0]) }
      #expect(secret.count > 20 && secret.allSatisfy { $0 % picture.width >= 312 + 32 })
      let line = try #require(screen.lines.last)
      #expect(line.contains(#""w":690,"h":844"#) && line.contains(#""x":430,"y":300"#))
    }
    screen.record()
    #expect(try screen.pictures().last?.width == 312)
  }

  @Test func `what is masked in any of them is covered where that is`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let other = connect(CGSize(width: 300, height: 500))
    defer { UIApplication.shared.simulateDisconnection(of: other.scene) }
    screen.window.addSubview(Secret.field(place))
    let field = Secret.field(place)
    other.window.addSubview(field)
    screen.record()
    screen.record(isLate: true) { field.removeFromSuperview() }
    #expect(screen.frames.count >= 1)
    #expect(try screen.secretPixels() == 0)
    #expect(try screen.maskedPixels() > 2 * 160 * 48)
    #expect(!screen.textIsRecorded)
  }

  @Test func `a scene in the background is not drawn, and holds nothing up`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let other = connect(CGSize(width: 300, height: 500))
    defer { UIApplication.shared.simulateDisconnection(of: other.scene) }
    other.window.addSubview(Secret.label(place))
    UIApplication.shared.simulateState(.background, of: other.scene)
    screen.record()
    #expect(screen.frames.count == 1)
    #expect(try screen.pictures().last?.width == 312)
    #expect(try screen.secretPixels() == 0)
    UIApplication.shared.simulateState(.foregroundInactive, of: other.scene)
    screen.record()
    #expect(try screen.pictures().last?.width == 552)
  }

  @Test func `a window that has no image does not stop frames`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let empty = UIWindow(frame: .zero)
    empty.windowScene = screen.scene
    screen.window.addSubview(Secret.field(place))
    screen.record()
    #expect(screen.frames.count == 1)
    var new: UIWindow?
    screen.record(isLate: true) {
      screen.window.addSubview(UILabel(frame: place))
      screen.window.backgroundColor = .gray
      new = UIWindow(windowScene: screen.scene)
      new?.addSubview(Secret.field(place))
    }
    screen.record()
    // The display had not been told of the new one.
    #expect(screen.losses.isEmpty && screen.frames.count == 2)
    #expect(try screen.secretPixels() == 0)
    new?.windowScene = nil
  }

  @Test func `the keyboard is covered in each`() throws {
    let screen = RecordedScreen()
    defer { screen.end() }
    let other = connect(CGSize(width: 300, height: 844))
    defer { UIApplication.shared.simulateDisconnection(of: other.scene) }
    // As its place on the screen is told, whichever part of that a scene has.
    let keyboard = CGRect(x: 0, y: 500, width: 390, height: 344)
    SimulatedKeyboard.simulateShow(covering: keyboard)
    defer { SimulatedKeyboard.simulateHide(from: keyboard) }
    for window in [screen.window, other.window] {
      window.addSubview(DrawingView(frame: CGRect(x: 40, y: 600, width: 200, height: 60)))
    }
    screen.record()
    #expect(!screen.frames.isEmpty)
    #expect(try screen.secretPixels() == 0)
  }

  @Test func `a transition is told wherever it is`() {
    let screen = RecordedScreen()
    defer { screen.end() }
    let (root, tabs, page, sheet, inSheet) = (
      UIViewController(), UIViewController(), UIViewController(), UIViewController(), UIViewController()
    )
    screen.window.rootViewController = root
    root.addChild(tabs)
    tabs.addChild(page)
    page.present(sheet, animated: false)
    sheet.addChild(inSheet)
    for controller in [root, tabs, page, sheet, inSheet] {
      controller.simulateTransition(true)
      #expect(screen.source.isInTransition)
      let count = screen.frames.count
      screen.record()
      #expect(screen.frames.count == count)
      controller.simulateTransition(false)
      #expect(!screen.source.isInTransition)
    }
  }
}
