import AutoMobileReplay
import SwiftUI
import UIKit

/// What is covered when somebody wants that, and what goes by what is in it.
extension KindCase {
  private static func button(_ frame: CGRect) -> UIButton {
    let button = UIButton(frame: frame)
    button.setTitle(Secret.text, for: .normal)
    button.titleLabel?.frame = bounds
    button.titleLabel?.textColor = Secret.colour
    return button
  }

  /// As SwiftUI shows what it draws.
  private static func hosted(_ content: DrawingView.Type) -> UIView {
    let host = _UIHostingView(frame: place)
    host.addSubview(content.init(frame: bounds))
    return host
  }

  static let texts: [KindCase] = [
    view("`UILabel`", "UILabel") { Secret.label(place) }, view("`UILabel`", "UIButton") { button(place) },
    view("`UILabel`", "UITextView") {
      let view = Secret.textView(place)
      view.isEditable = false
      return view
    },
    view("`UILabel`", "cells") {
      let cell = UITableViewCell(frame: place)
      cell.contentView.addSubview(Secret.label(bounds))
      return cell
    },
    KindCase(
      row: "`UILabel`", name: "alerts",
      show: { screen in
        let alert = UIAlertController(nibName: nil, bundle: nil)
        alert.view.addSubview(Secret.label(place))
        present(alert, on: screen)
      }),
    view("`UILabel`", "menus") {
      let (menu, list) = (_UIContextMenuContainerView(frame: place), _UIContextMenuListView(frame: bounds))
      list.addSubview(Secret.label(bounds))
      menu.addSubview(list)
      return menu
    },
    named("`UIPickerView`", UIPickerView.self), named("`UIPickerView`", UIDatePicker.self),
    layer("`CATextLayer`", CATextLayer.self), named("`CATextLayer`", RCTTextView.self),
    named("`CATextLayer`", RCTParagraphComponentView.self),
    named("`CATextLayer`", "Live Text", VKCImageTextSelectionView.self),
    view("`Text`", "Text") { hosted(CGDrawingView.self) }, view("`Text`", "Label") { hosted(CGDrawingView.self) },
    view("`Text`", "Link") { hosted(CGDrawingView.self) }, view("`Text`", "Button") { hosted(CGDrawingView.self) },
    named("`Text`", CGDrawingView.self), layer("`Text`", CGDrawingLayer.self),
    view("`Text`", "Canvas") { hosted(RBDrawingView.self) }, named("`Text`", RBDrawingView.self),
    layer("`Text`", RBLayer.self),
  ]

  private static let attached: NSAttributedString = {
    let image = UIImage.simulate(width: 50, height: 50) { _, _ in 0xFF00FF }
    let text = NSMutableAttributedString(string: "an image: ")
    text.append(NSAttributedString(attachment: NSTextAttachment(image: image)))
    return text
  }()

  static let images: [KindCase] = [
    view("`UIImageView`", "UIImageView") { Secret.image(place) },
    view("images among letters", "UILabel") {
      let label = UILabel(frame: place)
      label.attributedText = attached
      return label
    },
    view("images among letters", "UITextView") {
      let view = UITextView(frame: place)
      view.isEditable = false
      view.attributedText = attached
      return view
    },
    view("images among letters", "UIButton") {
      let button = UIButton(frame: place)
      button.titleLabel?.frame = bounds
      button.titleLabel?.attributedText = attached
      return button
    },
    layer("`Image`", "Image", ImageLayer.self), layer("`Image`", "AsyncImage", ImageLayer.self),
    layer("`Image`", "ImageLayer", ImageLayer.self),
    named("videos", "AVPlayerLayer", PlayerView.self), view("videos", "VideoPlayer") { hosted(PlayerView.self) },
    layer("videos", AVSampleBufferDisplayLayer.self),
    named("Metal", "CAMetalLayer", MetalView.self), named("Metal", MTKView.self), named("Metal", SCNView.self),
    named("Metal", SKView.self), named("Metal", GLKView.self), layer("Metal", CAEAGLLayer.self),
    view("maps", "MKMapView") { map }, view("maps", "Map") { map }, named("maps", MKLookAroundView.self),
    named("maps", GMSMapView.self), named("maps", MGLMapView.self),
  ]

  private static var map: UIView {
    let map = MKMapView(frame: place)
    map.backgroundColor = Secret.colour
    return map
  }

  static let drawings: [KindCase] = [
    named("documents", PDFView.self), named("documents", "Quick Look", QLPreviewView.self),
    layer("documents", CATiledLayer.self),
    named("charts", "charts", ChartView.self), named("charts", "a view or layer that draws itself", DrawingView.self),
    view("charts", "contents") {
      let (view, layer) = (UIView(frame: place), DrawingLayer())
      layer.frame = bounds
      layer.contents = true
      view.layer.addSublayer(layer)
      return view
    },
  ]

  /// What goes by what is in it.
  static let placed: [KindCase] = [
    around("`UIViewRepresentable`", "UIViewRepresentable") { screen, view in
      show(VStack { Represented(view: view) }, on: screen)
    },
    around("`UIViewRepresentable`", "UIViewControllerRepresentable") { screen, view in
      show(VStack { RepresentedController(view: view) }, on: screen)
    },
    around("a view that is shown by its layer", "layer.addSublayer(other.layer)") { screen, view in
      // Nobody else keeps it.
      screen.keep(view)
      let box = UIView(frame: screen.window.bounds)
      box.addSubview(UIView(frame: .zero))
      screen.window.addSubview(box)
      box.layer.addSublayer(view.layer)
    },
    around("what has something masked", "mask") { screen, view in
      let coloured = UIView(frame: place)
      coloured.backgroundColor = Secret.colour
      view.frame = bounds
      coloured.mask = view
      screen.window.addSubview(coloured)
    },
    around("what has something masked", "a layer") { screen, view in
      let coloured = UIView(frame: place)
      coloured.backgroundColor = Secret.colour
      view.frame = bounds
      screen.keep(view)
      coloured.layer.mask = view.layer
      screen.window.addSubview(coloured)
    },
    around("other windows", "other windows of the app") { screen, view in
      UIWindow(windowScene: screen.scene).addSubview(view)
    },
    around("other windows", "alerts") { screen, view in
      let alert = UIAlertController(nibName: nil, bundle: nil)
      alert.view.addSubview(view)
      present(alert, on: screen)
    },
    around("other windows", "sheets") { screen, view in
      let sheet = UIViewController(nibName: nil, bundle: nil)
      sheet.view.addSubview(view)
      present(sheet, on: screen)
    },
    around("other windows", "popovers") { screen, view in
      let box = UIView(frame: screen.window.bounds)
      box.addSubview(view)
      screen.window.addSubview(box)
    },
    view("copies of what is masked", "CAReplicatorLayer") {
      let (clip, copies) = (UIView(frame: place), CopiesView(frame: bounds))
      clip.clipsToBounds = true
      copies.addSubview(Secret.field(bounds))
      clip.addSubview(copies)
      return clip
    },
  ]

  static let others: [KindCase] = [
    named("a view of the system", "a view of the system without a public name", _UIFancyNewView.self),
    named("a view of the system", _UIShapeHitTestingView.self),
    layer("a view of the system", "a layer of unknown class", FancyNewLayer.self),
    view("`UISwitch`", "UISwitch") { UISwitch(frame: place) },
    view("`UISwitch`", "UISlider") { UISlider(frame: place) },
    view("`UISwitch`", "UIStepper") { UIStepper(frame: place) },
  ]
}

private struct Represented: UIViewRepresentable {
  let view: UIView
  func makeUIView(context: Context) -> UIView { view }
  func updateUIView(_ uiView: UIView, context: Context) {}
}

private struct RepresentedController: UIViewControllerRepresentable {
  let view: UIView
  func makeUIViewController(context: Context) -> UIViewController {
    let controller = UIViewController(nibName: nil, bundle: nil)
    controller.view.addSubview(view)
    return controller
  }
  func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
}

private final class CopiesView: UIView {
  override class var layerClass: AnyClass { CAReplicatorLayer.self }
}
