/// The last `capacity` elements, in order.
///
/// Memory grows with what is in it, not with the capacity.
public struct RingBuffer<Element> {
  @usableFromInline var capacity: Int
  @usableFromInline var storage: [Element] = []
  /// Where the oldest element stands, once the ring is full.
  @usableFromInline var start = 0

  @inlinable public init(capacity: Int) { self.capacity = max(1, capacity) }

  @inlinable public var count: Int { storage.count }
  @inlinable public var isEmpty: Bool { storage.isEmpty }

  /// Appends, and gives back the oldest element when it had to go for that.
  @discardableResult
  @inlinable public mutating func append(_ element: Element) -> Element? {
    guard storage.count >= capacity else {
      storage.append(element)
      return nil
    }
    let old = storage[start]
    storage[start] = element
    start = (start + 1) % max(1, capacity)
    return old
  }

  /// Oldest first. Element by element: putting slices together is compiled anew for each type, and long.
  @inlinable public var elements: [Element] {
    guard start > 0 else { return storage }
    return storage.indices.map { storage[(start + $0) % max(1, storage.count)] }
  }

  /// Takes everything out, oldest first.
  @inlinable public mutating func removeAll() -> [Element] {
    let all = start == 0 ? storage : elements
    storage = []
    start = 0
    return all
  }
}
