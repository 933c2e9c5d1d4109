// The standard library's sorting is compiled anew for each type of element, in each module: five kilobytes each time, and there
// were forty. Here it is compiled for positions, once; what is compiled for a type is the comparison.

extension Sequence {
  /// What `sorted(by:)` gives; equal elements keep their order. Public, as ``Locked`` is.
  @inlinable public func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
    let elements = Array(self)
    return positions(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
  }
}

extension Sequence<String> {
  @inlinable public func ordered() -> [String] { strings(Array(self)) }
}

extension Sequence<UInt64> {
  @inlinable public func ordered() -> [UInt64] { numbers(Array(self)) }
}

@usableFromInline
@inline(never)
func positions(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  Array(0..<max(0, count)).sorted(by: precedes)
}

@usableFromInline
@inline(never)
func strings(_ strings: [String]) -> [String] { strings.sorted() }

@usableFromInline
@inline(never)
func numbers(_ numbers: [UInt64]) -> [UInt64] { numbers.sorted() }
