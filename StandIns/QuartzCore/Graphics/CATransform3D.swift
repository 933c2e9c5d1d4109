import Foundation

/// Documentation: *CATransform3D*. iOS 2.0.
public struct CATransform3D: Equatable, Sendable {
  /// Documentation: *m11*. iOS 2.0.
  public var m11: CGFloat = 1
  /// Documentation: *m12*. iOS 2.0.
  public var m12: CGFloat = 0
  /// Documentation: *m13*. iOS 2.0.
  public var m13: CGFloat = 0
  /// Documentation: *m14*. iOS 2.0.
  public var m14: CGFloat = 0
  /// Documentation: *m21*. iOS 2.0.
  public var m21: CGFloat = 0
  /// Documentation: *m22*. iOS 2.0.
  public var m22: CGFloat = 1
  /// Documentation: *m23*. iOS 2.0.
  public var m23: CGFloat = 0
  /// Documentation: *m24*. iOS 2.0.
  public var m24: CGFloat = 0
  /// Documentation: *m31*. iOS 2.0.
  public var m31: CGFloat = 0
  /// Documentation: *m32*. iOS 2.0.
  public var m32: CGFloat = 0
  /// Documentation: *m33*. iOS 2.0.
  public var m33: CGFloat = 1
  /// Documentation: *m34*. iOS 2.0.
  public var m34: CGFloat = 0
  /// Documentation: *m41*. iOS 2.0.
  public var m41: CGFloat = 0
  /// Documentation: *m42*. iOS 2.0.
  public var m42: CGFloat = 0
  /// Documentation: *m43*. iOS 2.0.
  public var m43: CGFloat = 0
  /// Documentation: *m44*. iOS 2.0.
  public var m44: CGFloat = 1
}

/// Documentation: *CATransform3DIdentity*. iOS 2.0.
public let CATransform3DIdentity = CATransform3D()

/// Documentation: *CATransform3DMakeTranslation(_:_:_:)*. iOS 2.0.
public func CATransform3DMakeTranslation(_ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
  var transform = CATransform3DIdentity
  (transform.m41, transform.m42, transform.m43) = (tx, ty, tz)
  return transform
}

/// Documentation: *CATransform3DMakeAffineTransform(_:)*. iOS 2.0.
public func CATransform3DMakeAffineTransform(_ m: CGAffineTransform) -> CATransform3D {
  var transform = CATransform3DIdentity
  (transform.m11, transform.m12, transform.m21, transform.m22) = (m.a, m.b, m.c, m.d)
  (transform.m41, transform.m42) = (m.tx, m.ty)
  return transform
}

/// Documentation: *CATransform3DIsAffine(_:)*. iOS 2.0.
public func CATransform3DIsAffine(_ t: CATransform3D) -> Bool {
  t.m13 == 0 && t.m14 == 0 && t.m23 == 0 && t.m24 == 0 && t.m31 == 0 && t.m32 == 0 && t.m33 == 1 && t.m34 == 0
    && t.m43 == 0 && t.m44 == 1
}

extension CATransform3D {
  /// What of it is in the plane of the screen.
  var flat: CGAffineTransform { CGAffineTransform(a: m11, b: m12, c: m21, d: m22, tx: m41, ty: m42) }
}
