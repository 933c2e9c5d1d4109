/// Documentation: *UITableViewCell*. iOS 2.0.
@MainActor open class UITableViewCell: UIView {
  /// Documentation: *contentView*. iOS 2.0.
  public private(set) lazy var contentView: UIView = {
    let view = UIView(frame: bounds)
    addSubview(view)
    return view
  }()
}

/// Documentation: *UICollectionReusableView*. iOS 6.0.
@MainActor open class UICollectionReusableView: UIView {}

/// Documentation: *UICollectionViewCell*. iOS 6.0.
@MainActor open class UICollectionViewCell: UICollectionReusableView {
  /// Documentation: *contentView*. iOS 6.0.
  public private(set) lazy var contentView: UIView = {
    let view = UIView(frame: bounds)
    addSubview(view)
    return view
  }()
}
