/// Arithmetic that stops at the type's ends instead of trapping: for clocks, positions and sizes that come from outside.
///
/// `&+` and `&-` are for what cannot overflow, or may wrap around. `Scripts/lint-traps` looks for the rest.
extension FixedWidthInteger {
  package func adding(saturating other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  package func subtracting(saturating other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    // What was taken away was positive, or there is no sign.
    return other > 0 ? .min : .max
  }

  package func multiplied(saturating other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard overflow else { return product }
    return (self < 0) == (other < 0) ? .max : .min
  }

  /// The nearest number there is, toward zero; 0 for NaN.
  package init(saturating number: Double) {
    if let exact = Self(exactly: number.rounded(.towardZero)) {
      self = exact
    } else {
      self = number.isNaN ? 0 : number < 0 ? .min : .max
    }
  }
}
