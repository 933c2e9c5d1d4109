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

  private init(bits: UInt64) { self.bits = bits }

  /// One kind. Others are added by ``union(_:)``: an array literal has the type of an array made, for which a process that
  /// starts waits.
  public init(_ kind: RecordKind) { self.init(bits: 1 << UInt64(kind.rawValue)) }

  public func union(_ other: RecordKind) -> RecordKinds { RecordKinds(bits: bits | RecordKinds(other).bits) }

  public var isEmpty: Bool { bits == 0 }

  public func contains(_ kind: RecordKind) -> Bool { bits >> UInt64(kind.rawValue) & 1 == 1 }
}
