/// A property of a view whose value is kept in the view's place in the tree.
@MainActor protocol KeptProperty {
  /// Takes what has been kept, or gives what is to be kept.
  func link(_ kept: AnyObject?, to node: ViewNode) -> AnyObject
}

extension ViewNode {
  /// Gives the view the properties that have been kept for it.
  func link(_ view: some Any) {
    let properties = Mirror(reflecting: view).children.compactMap { $0.value as? any KeptProperty }
    for (index, property) in properties.enumerated() {
      let kept = property.link(index < memory.count ? memory[index] : nil, to: self)
      if index == memory.count { memory.append(kept) }
    }
  }
}

/// Whether a view is the same as the one before: then its body need not be evaluated.
///
/// As far as can be seen from outside: by `==` where there is one, by identity, and member by member; two closures, and two
/// values of anything else without members, are different.
func isSame(_ a: Any, _ b: Any, depth: Int = 0) -> Bool {
  guard depth < 20, type(of: a) == type(of: b) else { return false }
  if a is any KeptProperty { return true }
  if let a = a as? any Equatable { return isEqual(a, b) }
  let (mirrorA, mirrorB) = (Mirror(reflecting: a), Mirror(reflecting: b))
  if mirrorA.displayStyle == .class { return (a as AnyObject) === (b as AnyObject) }
  guard mirrorA.children.count == mirrorB.children.count else { return false }
  if mirrorA.children.isEmpty { return mirrorA.displayStyle == .struct || mirrorA.displayStyle == .optional }
  return zip(mirrorA.children, mirrorB.children).allSatisfy {
    $0.label == $1.label && isSame($0.value, $1.value, depth: depth + 1)
  }
}

private func isEqual<Value: Equatable>(_ a: Value, _ b: Any) -> Bool { (b as? Value) == a }
