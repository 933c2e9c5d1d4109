/// Documentation: *UIControl*. iOS 2.0.
@MainActor open class UIControl: UIView {
  /// Documentation: *UIControl.Event*. iOS 2.0.
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Documentation: *touchUpInside*. iOS 2.0.
    public static let touchUpInside = Event(rawValue: 1 << 6)
    /// Documentation: *valueChanged*. iOS 2.0.
    public static let valueChanged = Event(rawValue: 1 << 12)
  }

  /// Documentation: *UIControl.State*. iOS 2.0.
  public struct State: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Documentation: *normal*. iOS 2.0.
    public static let normal: State = []
  }

  private var actions: [(action: UIAction, events: Event)] = []

  /// Documentation: *isEnabled*. iOS 2.0.
  open var isEnabled = true

  /// Documentation: *addAction(_:for:)*. iOS 14.0.
  open func addAction(_ action: UIAction, for controlEvents: Event) { actions.append((action, controlEvents)) }

  /// Documentation: *sendActions(for:)*. iOS 2.0.
  open func sendActions(for controlEvents: Event) {
    for (action, events) in actions where !events.isDisjoint(with: controlEvents) { action.handler(action) }
  }

  open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
  open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
  open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    guard isEnabled, touches.contains(where: { point(inside: $0.location(in: self), with: event) }) else { return }
    touchUp()
  }

  func touchUp() { sendActions(for: .touchUpInside) }
}

/// Documentation: *UIActionHandler*. iOS 13.0.
public typealias UIActionHandler = (UIAction) -> Void

/// Documentation: *UIAction*. iOS 13.0.
@MainActor open class UIAction: NSObject {
  let handler: UIActionHandler
  /// Documentation: *title*. iOS 13.0.
  open var title: String

  // The parameters in between, which all have defaults, are left out.
  /// Documentation: *init(title:image:identifier:discoverabilityTitle:attributes:state:handler:)*. iOS 13.0.
  public convenience init(title: String = "", handler: @escaping UIActionHandler) { self.init(title, handler) }

  private init(_ title: String, _ handler: @escaping UIActionHandler) {
    self.title = title
    self.handler = handler
  }
}

/// Documentation: *UIButton*. iOS 2.0.
@MainActor open class UIButton: UIControl {
  private var titles: [UIControl.State.RawValue: String] = [:]
  /// Documentation: *titleLabel*. iOS 3.0.
  public private(set) lazy var titleLabel: UILabel? = {
    let label = UILabel()
    addSubview(label)
    return label
  }()

  /// Documentation: *setTitle(_:for:)*. iOS 2.0.
  open func setTitle(_ title: String?, for state: UIControl.State) {
    titles[state.rawValue] = title
    titleLabel?.text = currentTitle
  }

  /// Documentation: *currentTitle*. iOS 2.0.
  open var currentTitle: String? { titles[UIControl.State.normal.rawValue] }

  open override func draw(_ rect: CGRect) {
    // The label shows it where one was given a place.
    guard titleLabel?.frame.isEmpty != false else { return }
    UIGraphicsGetCurrentContext()?.draw(
      currentTitle, in: rect, font: .systemFont(ofSize: 17), color: UIColor(red: 0, green: 0.48, blue: 1, alpha: 1),
      isCentered: true)
  }
}

/// Documentation: *UISwitch*. iOS 2.0.
@MainActor open class UISwitch: UIControl {
  /// Documentation: *isOn*. iOS 2.0.
  open var isOn = false

  open override func draw(_ rect: CGRect) {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    (isOn ? UIColor(red: 0.2, green: 0.78, blue: 0.35, alpha: 1) : UIColor(white: 0.9, alpha: 1)).select(context)
    context.fill(rect, radius: rect.height / 2)
    UIColor.white.select(context)
    let knob = CGRect(
      x: isOn ? rect.maxX - rect.height + 2 : rect.minX + 2, y: rect.minY + 2, width: rect.height - 4,
      height: rect.height - 4)
    context.fill(knob, radius: knob.height / 2)
  }

  override func touchUp() {
    isOn.toggle()
    super.touchUp()
    sendActions(for: .valueChanged)
  }
}
