import AutoMobileReplay
import SwiftUI
import UIKit

extension KindCase {
  static let all: [KindCase] = [
    fields, pagesAndCameras, ofTheSystem, ofTheApp, texts, images, drawings, placed, others,
  ].flatMap(\.self)

  private static var said: Binding<String> {
    let text = Secret.text
    return Binding(get: { text }, set: { _ in })
  }

  private static let fields: [KindCase] = [
    view("fields for passwords", "UITextField") { Secret.field(place, isSecure: true) },
    view("fields for passwords", "UITextView") {
      let view = Secret.textView(place)
      view.isSecureTextEntry = true
      return view
    },
    view("fields for passwords", "isSecureTextEntry") { Secret.field(place, isSecure: true) },
    view("fields for passwords", "UIKeyInput") {
      let view = CodeView(frame: place)
      view.isSecureTextEntry = true
      return view
    },
    view("fields for passwords", "textContentType") {
      let view = CodeView(frame: place)
      view.textContentType = .oneTimeCode
      return view
    },
    swiftUI("fields for passwords", "SecureField") { VStack { SecureField("Password", text: said) } },
    view("`UITextField`", "UITextField") { Secret.field(place) },
    view("`UITextField`", "UITextView") { Secret.textView(place) },
    view("`UITextField`", "UISearchBar") {
      let bar = UISearchBar(frame: place)
      bar.searchTextField.text = Secret.text
      bar.searchTextField.textColor = Secret.colour
      return bar
    },
    named("`UITextField`", "UIKeyInput", CodeView.self), named("`UITextField`", "UITextInput", OwnInputView.self),
    swiftUI("`UITextField`", "TextField") { VStack { TextField("Name", text: said) } },
    view("`UITextField`", "TextEditor") {
      let view = TextEditorTextView(frame: place)
      view.text = Secret.text
      view.textColor = Secret.colour
      return view
    },
    named("handwriting", PKCanvasView.self),
  ]

  private static let pagesAndCameras: [KindCase] = [
    view("pages", "WKWebView") { WKWebView(frame: place) }, named("pages", UIWebView.self),
    named("pages", SFSafariView.self),
    view("cameras", "AVCaptureVideoPreviewLayer") { CameraView(frame: place) },
    view("cameras", "in or behind any view") {
      let view = DrawingView(frame: place)
      view.layer.addSublayer(AVCaptureVideoPreviewLayer())
      return view
    },
    view("cameras", "below other layers") {
      let (view, between, camera) = (DrawingView(frame: place), CALayer(), AVCaptureVideoPreviewLayer())
      between.frame = bounds
      camera.frame = bounds
      between.addSublayer(camera)
      view.layer.addSublayer(between)
      return view
    },
    named("cameras", ARView.self), named("cameras", ARSCNView.self), named("cameras", ARSKView.self),
    named("cameras", PLCameraView.self),
    named("engines", FlutterView.self), named("engines", UnityView.self), named("engines", SkikoUIView.self),
    named("engines", GodotView.self),
  ]

  private static let keyboard = CGRect(x: 0, y: 250, width: 390, height: 594)

  private static let ofTheSystem: [KindCase] = [
    KindCase(
      row: "the keyboard's place", name: "the keyboard's place",
      show: {
        // What is drawn there stands for its keys, which are in no window of the app's.
        SimulatedKeyboard.simulateShow(covering: keyboard)
        $0.window.addSubview(DrawingView(frame: place))
      }),
    KindCase(
      row: "the keyboard's windows", name: "UITextEffectsWindow",
      show: { UITextEffectsWindow(windowScene: $0.scene).addSubview(Secret.label(place)) }),
    KindCase(
      row: "the keyboard's windows", name: "UIRemoteKeyboardWindow",
      show: { UIRemoteKeyboardWindow(windowScene: $0.scene).addSubview(Secret.label(place)) }),
    KindCase(
      row: "what another process", name: "SFSafariViewController",
      show: { present(SFSafariViewController(nibName: nil, bundle: nil), on: $0) }),
    named("what another process", _UIRemoteView.self),
    named("what another process", _UISceneLayerHostContainerView.self),
    layer("what another process", CALayerHost.self),
    named("pictures of views", "snapshotView(afterScreenUpdates:)", _UIReplicantView.self),
    named("pictures of views", _UIReplicantView.self), named("pictures of views", _UIPortalView.self),
    named("pictures of views", "_UI…Snapshot…", _UIScreenSnapshotView.self),
    named("pictures of views", "_UI…DragPreview…", _UIDragPreviewView.self),
    named("pictures of views", "loupes", _UITextLoupeView.self), layer("pictures of views", CAPortalLayer.self),
    view("pictures of views", "context menus") {
      let (menu, list) = (_UIContextMenuContainerView(frame: place), _UIContextMenuListView(frame: bounds))
      menu.addSubview(_UIPortalView(frame: bounds))
      menu.addSubview(list)
      return menu
    },
  ]

  private static let ofTheApp: [KindCase] = [
    view("`Replay.mask(_:)`", "Replay.mask(_:)") {
      let label = Secret.label(place)
      Replay.mask(label)
      return label
    },
    swiftUI("`Replay.mask(_:)`", ".replayMasked()") { VStack { Text(Secret.text).replayMasked() } },
    view("`Replay.mask(_:)`", "accessibilityIdentifier") {
      let label = Secret.label(place)
      label.accessibilityIdentifier = "mask:iban"
      return label
    },
    view("`Replay.mask(_:)`", "mask:") {
      let box = UIView(frame: place)
      box.accessibilityIdentifier = "mask:card"
      box.addSubview(Secret.label(bounds))
      return box
    },
    KindCase(
      row: "`Replay.mask(_:)`", name: "classes that the app names",
      show: { $0.window.addSubview(SecretLabel.make(SecretLabel.self, place)) },
      choice: { $0.mask(classes: [SecretLabel.self]) }),
  ]

  static func present(_ controller: UIViewController, on screen: RecordedScreen) {
    let root = UIViewController(nibName: nil, bundle: nil)
    screen.window.rootViewController = root
    root.present(controller, animated: false)
  }
}

private final class UITextEffectsWindow: UIWindow {}
private final class UIRemoteKeyboardWindow: UIWindow {}
