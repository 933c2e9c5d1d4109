import AutoMobileReplay
import AutoMobileSDK
import UIKit

/// What is masked, in every way in which something can be. Each is painted with the secret: its colour, and its text.
enum SecretKind: String, CaseIterable {
  case password, field, textView, search, webPage, camera, cameraInLayer, augmentedReality, handwriting
  case snapshot, portal, loupe, remote, markedLabel, markedBox, namedLabel, behindMark, classOfTheApps, classByName
  case markedOverflow, shadow, depth, cutOut, copies, transition, shownByLayer, passwordInUnmasked, besideRange
  case passwordInRange
  // When texts are masked.
  case label, button, cellLabel, textLayer, swiftUIText, page, drawing
  // When images are.
  case image, overflow, video, map, metal, swiftUIImage, document
  // When what is unknown is.
  case unknown

  /// Those that are masked under a choice.
  static func masked(by masking: ReplayMasking) -> [SecretKind] {
    let texts: [SecretKind] = [.label, .button, .cellLabel, .textLayer, .swiftUIText, .page, .drawing, .document]
    let images: [SecretKind] = [.image, .overflow, .video, .map, .metal, .swiftUIImage, .document, .drawing]
    return allCases.filter { kind in
      if texts.contains(kind) || images.contains(kind) {
        return masking.maskAllText && texts.contains(kind) || masking.maskAllImages && images.contains(kind)
      }
      return kind == .unknown ? masking.maskUnknownViews : true
    }
  }

  /// The view; what is to be moved as one.
  @MainActor func view(_ frame: CGRect) -> UIView {
    let view = make(frame)
    if self != .behindMark { view.backgroundColor = Secret.colour }
    return view
  }

  @MainActor private func make(_ frame: CGRect) -> UIView {
    let bounds = CGRect(origin: .zero, size: frame.size)
    switch self {
    case .password: return Secret.field(frame, isSecure: true)
    case .field: return Secret.field(frame)
    case .textView: return Secret.textView(frame)
    case .search:
      let bar = UISearchBar(frame: bounds)
      bar.searchTextField.text = Secret.text
      bar.searchTextField.backgroundColor = Secret.colour
      // The bar itself is seen.
      let box = LayeredView(frame: frame)
      box.addSubview(bar)
      return box
    case .webPage: return WKWebView(frame: frame)
    case .camera: return CameraView(frame: frame)
    case .cameraInLayer:
      let view = DrawingView(frame: frame)
      view.layer.addSublayer(AVCaptureVideoPreviewLayer())
      return view
    case .augmentedReality: return ARSCNView(frame: frame)
    case .handwriting: return PKCanvasView(frame: frame)
    case .snapshot: return _UIReplicantView(frame: frame)
    case .portal: return _UIPortalView(frame: frame)
    case .loupe: return _UITextLoupeView(frame: frame)
    case .remote: return _UIRemoteView(frame: frame)
    case .markedLabel: return Self.masked(Secret.label(frame))
    case .markedBox:
      let box = UIView(frame: frame)
      // It sticks out.
      let label = Secret.label(bounds.offsetBy(dx: 30, dy: 10))
      label.backgroundColor = Secret.colour
      box.addSubview(label)
      return Self.masked(box)
    case .namedLabel:
      let label = Secret.label(frame)
      label.accessibilityIdentifier = "mask:iban"
      return label
    case .behindMark:
      let box = UIView(frame: frame)
      let label = Secret.label(bounds)
      label.backgroundColor = Secret.colour
      box.addSubview(Self.masked(UIView(frame: bounds)))
      box.addSubview(label)
      return box
    case .classOfTheApps: return SecretLabel.make(SecretLabel.self, frame)
    case .classByName: return NamedCard(frame: frame)
    case .overflow: return Self.filling(frame)
    case .markedOverflow: return Self.masked(Self.filling(frame))
    case .shadow, .depth, .cutOut, .copies, .transition, .shownByLayer, .passwordInUnmasked, .besideRange,
      .passwordInRange:
      return special(frame)
    case .label: return Secret.label(frame)
    case .button:
      let button = UIButton(frame: frame)
      button.setTitle(Secret.text, for: .normal)
      return button
    case .cellLabel: return Secret.label(frame)
    case .textLayer: return Self.layered(CATextLayer(), frame)
    case .swiftUIText: return CGDrawingView(frame: frame)
    case .page:
      let view = Secret.textView(frame)
      view.isEditable = false
      return view
    case .drawing: return DrawingView(frame: frame)
    case .image: return Secret.image(frame)
    case .video: return PlayerView(frame: frame)
    case .map: return MKMapView(frame: frame)
    case .metal: return MetalView(frame: frame)
    case .swiftUIImage: return Self.layered(ImageLayer(), frame)
    case .document: return PDFView(frame: frame)
    case .unknown: return _UIFancyNewView(frame: frame)
    }
  }

  /// Of layers the view itself is seen, and has no colour.
  @MainActor private static func layered(_ layer: CALayer, _ frame: CGRect) -> UIView {
    let view = LayeredView(frame: frame)
    layer.frame = view.bounds
    view.layer.addSublayer(layer)
    return view
  }

  @MainActor private static func filling(_ frame: CGRect) -> UIView {
    let view = Secret.image(frame)
    view.contentMode = .scaleAspectFill
    return view
  }

  @MainActor static func masked(_ view: UIView) -> UIView {
    Replay.mask(view)
    return view
  }
}

/// Has a layer that is no view's, and is of no colour itself.
final class LayeredView: UIView {
  /// Views that are shown by their layers.
  var others: [UIView] = []
  override var backgroundColor: UIColor? {
    get { nil }
    set {}
  }
}

/// A card of the app's own, that is masked by its name.
final class NamedCard: UIView {}
