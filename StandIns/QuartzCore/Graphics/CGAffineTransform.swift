import Foundation

/// Documentation: *CGAffineTransform*. iOS 2.0.
public struct CGAffineTransform: Equatable, Sendable {
  /// Documentation: *a*. iOS 2.0.
  public var a: CGFloat
  /// Documentation: *b*. iOS 2.0.
  public var b: CGFloat
  /// Documentation: *c*. iOS 2.0.
  public var c: CGFloat
  /// Documentation: *d*. iOS 2.0.
  public var d: CGFloat
  /// Documentation: *tx*. iOS 2.0.
  public var tx: CGFloat
  /// Documentation: *ty*. iOS 2.0.
  public var ty: CGFloat

  /// Documentation: *init(a:b:c:d:tx:ty:)*. iOS 2.0.
  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// Documentation: *identity*. iOS 2.0.
  public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Documentation: *init(translationX:y:)*. iOS 2.0.
  public init(translationX tx: CGFloat, y ty: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty) }

  /// Documentation: *init(scaleX:y:)*. iOS 2.0.
  public init(scaleX sx: CGFloat, y sy: CGFloat) { self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0) }

  /// Documentation: *init(rotationAngle:)*. iOS 2.0.
  public init(rotationAngle angle: CGFloat) {
    self.init(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
  }

  /// Documentation: *isIdentity*. iOS 2.0.
  public var isIdentity: Bool { self == .identity }

  /// Documentation: *concatenating(_:)*. iOS 2.0.
  public func concatenating(_ t2: CGAffineTransform) -> CGAffineTransform {
    CGAffineTransform(
      a: a * t2.a + b * t2.c, b: a * t2.b + b * t2.d, c: c * t2.a + d * t2.c, d: c * t2.b + d * t2.d,
      tx: tx * t2.a + ty * t2.c + t2.tx, ty: tx * t2.b + ty * t2.d + t2.ty)
  }

  /// Documentation: *inverted()*. iOS 2.0.
  public func inverted() -> CGAffineTransform {
    let determinant = a * d - b * c
    guard determinant != 0 else { return self }
    return CGAffineTransform(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
  }
}

extension CGPoint {
  /// Documentation: *applying(_:)*. iOS 2.0.
  public func applying(_ t: CGAffineTransform) -> CGPoint {
    CGPoint(x: x * t.a + y * t.c + t.tx, y: x * t.b + y * t.d + t.ty)
  }
}

extension CGRect {
  /// Documentation: *applying(_:)*. iOS 2.0.
  ///
  /// The smallest rectangle around what becomes of this one.
  public func applying(_ t: CGAffineTransform) -> CGRect {
    if t.b == 0, t.c == 0, t.a == 1, t.d == 1 { return offsetBy(dx: t.tx, dy: t.ty) }
    let (right, bottom) = (origin.x + size.width, origin.y + size.height)
    let corners = [
      origin, CGPoint(x: right, y: origin.y), CGPoint(x: origin.x, y: bottom), CGPoint(x: right, y: bottom),
    ].map { $0.applying(t) }
    let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
    return CGRect(x: xs[0], y: ys[0], width: xs[3] - xs[0], height: ys[3] - ys[0])
  }
}
