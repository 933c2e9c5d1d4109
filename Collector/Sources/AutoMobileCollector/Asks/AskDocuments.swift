import NIOConcurrencyHelpers
import NIOCore

/// Documents with what is asked of apps. An ask of a version concerns a whole fleet, and each of its deliveries is answered with the
/// name of the document: so they are kept, for as long as they are those that hold.
final class AskDocuments: Sendable {
  typealias Told = (document: ConfigurationStore.Effective, told: [Int64])

  private struct Key: Hashable {
    /// It names the version of the document.
    var base: String
    var asks: [Int64]
  }

  /// Of a document with asks, in bytes: an SDK takes 64 KiB.
  private static let longest = 60 << 10
  /// That are kept: no more than 8 MB.
  private static let most = 128

  private struct State {
    var kept: [Key: Told] = [:]
    var built = 0
    /// How often what was kept has gone.
    var generation = 0
  }

  private let state = NIOLockedValueBox(State())

  /// How many have been put together.
  var built: Int { state.withLockedValue { $0.built } }

  /// A document that names these asks, after those that stand in it as it was written.
  ///
  /// - Returns: with the asks that it names: one that would be too long with all of them names fewer.
  func document(naming asks: [Ask], base: ConfigurationStore.Effective, issuer: String) -> Told {
    guard !asks.isEmpty else { return (base, []) }
    let key = Key(base: base.tag, asks: asks.map(\.id))
    let (kept, generation) = state.withLockedValue { ($0.kept[key], $0.generation) }
    if let kept { return kept }
    let made = Self.make(asks, base, issuer)
    state.withLockedValue { state in
      state.built += 1
      guard state.generation == generation else { return }
      if state.kept.count >= Self.most { state.kept = [:] }
      state.kept[key] = made
    }
    return made
  }

  /// Whom they name may be somebody who is erased.
  func removeAll() {
    state.withLockedValue { state in
      state.kept = [:]
      state.generation += 1
    }
  }

  private static func make(_ asks: [Ask], _ base: ConfigurationStore.Effective, _ issuer: String) -> Told {
    let written = base.sections["upload"]?["asks"]?.elements ?? []
    var asks = asks.suffix(max(0, AskRules.mostTold - written.count))
    while !asks.isEmpty {
      let json = base.sections.merged(
        with: ["upload": ["asks": .array(written + asks.map { $0.told(by: issuer) })]]
      ).text
      if json.utf8.count <= longest {
        var document = base
        document.json = ByteBuffer(string: json)
        document.tag += "-" + name(of: asks.map(\.id))
        return (document, asks.map(\.id))
      }
      asks.removeFirst()
    }
    return (base, [])
  }

  /// Some digits that are others for other asks (FNV-1a).
  private static func name(of ids: [Int64]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for id in ids {
      for byte in "\(id),".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
    return String(hash, radix: 16)
  }
}
