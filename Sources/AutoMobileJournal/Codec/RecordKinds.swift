/// A set of record kinds, as a word: the journal looks into one for every record that it reads.
///
///     let kinds: RecordKinds = [.event, .eventAndBreadcrumb]
///     kinds.contains(.event)  // true
public struct RecordKinds: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// Bit k is set when the set holds the kind of the raw value k.
  public let bits: UInt64

  public init(arrayLiteral kinds: RecordKind...) {
    var bits: UInt64 = 0
    for kind in kinds { bits |= 1 << UInt64(kind.rawValue) }
    self.bits = bits
  }

  public var isEmpty: Bool { bits == 0 }

  public func contains(_ kind: RecordKind) -> Bool { bits >> UInt64(kind.rawValue) & 1 == 1 }
}
