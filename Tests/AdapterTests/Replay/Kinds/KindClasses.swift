import UIKit

// Views and layers by the names that they have on a device: none of their frameworks is here. Each draws the secret.

final class CGDrawingView: DrawingView {}
final class RBDrawingView: DrawingView {}
final class UIPickerView: DrawingView {}
final class UIDatePicker: DrawingView {}
final class RCTTextView: DrawingView {}
final class RCTParagraphComponentView: DrawingView {}
final class VKCImageTextSelectionView: DrawingView {}
final class MTKView: DrawingView {}
final class SCNView: DrawingView {}
final class SKView: DrawingView {}
final class GLKView: DrawingView {}
final class MKLookAroundView: DrawingView {}
final class GMSMapView: DrawingView {}
final class MGLMapView: DrawingView {}
final class PDFView: DrawingView {}
final class QLPreviewView: DrawingView {}
final class ChartView: DrawingView {}
final class UIWebView: DrawingView {}
final class SFSafariView: DrawingView {}
final class ARView: DrawingView {}
final class ARSCNView: DrawingView {}
final class ARSKView: DrawingView {}
final class PLCameraView: DrawingView {}
final class PKCanvasView: DrawingView {}
final class FlutterView: DrawingView {}
final class UnityView: DrawingView {}
final class SkikoUIView: DrawingView {}
final class GodotView: DrawingView {}
final class _UIReplicantView: DrawingView {}
final class _UIPortalView: DrawingView {}
final class _UIScreenSnapshotView: DrawingView {}
final class _UIDragPreviewView: DrawingView {}
final class _UITextLoupeView: DrawingView {}
final class _UIRemoteView: DrawingView {}
final class _UISceneLayerHostContainerView: DrawingView {}
final class _UIFancyNewView: DrawingView {}
final class _UIShapeHitTestingView: DrawingView {}
final class _UIFancyNewContainer: UIView {}
final class _UIContextMenuContainerView: UIView {}
final class _UIContextMenuListView: UIView {}
final class _UIHostingView: UIView {}
final class _UIGraphicsView: UIView {}
final class UISlider: UIControl {}
final class UIStepper: UIControl {}
/// What `TextEditor` is made of.
final class TextEditorTextView: UITextView {}

/// A field of the app's own, that draws what is typed.
final class CodeView: DrawingView, UIKeyInput {
  var isSecureTextEntry = false
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var textContentType: UITextContentType!
}
final class OwnInputView: DrawingView, UITextInput {}

final class SFSafariViewController: UIViewController {
  override func loadView() { view = _UIRemoteView(frame: CGRect(x: 40, y: 300, width: 200, height: 60)) }
}

final class AVPlayerLayer: DrawingLayer {}
final class PlayerView: DrawingView {
  override class var layerClass: AnyClass { AVPlayerLayer.self }
}
final class CAMetalLayer: DrawingLayer {}
final class MetalView: DrawingView {
  override class var layerClass: AnyClass { CAMetalLayer.self }
}

/// Draws the secret without any view.
class DrawingLayer: CALayer {
  override func draw(in ctx: CGContext) {
    let area = CGRect(origin: .zero, size: bounds.size)
    MainActor.assumeIsolated { Secret.label(area).draw(area) }
  }
}
final class CATextLayer: DrawingLayer {}
final class CGDrawingLayer: DrawingLayer {}
final class RBLayer: DrawingLayer {}
final class ImageLayer: DrawingLayer {}
final class FancyNewLayer: DrawingLayer {}
final class AVSampleBufferDisplayLayer: DrawingLayer {}
final class CAEAGLLayer: DrawingLayer {}
final class CATiledLayer: DrawingLayer {}
final class CAPortalLayer: DrawingLayer {}
final class CALayerHost: DrawingLayer {}
