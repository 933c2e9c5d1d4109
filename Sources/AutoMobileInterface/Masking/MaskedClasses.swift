/// Classes of which the app says whether their views may be seen.
package struct MaskedClasses: Sendable, Equatable {
  package var types: [ObjectIdentifier: MaskingRules.Mark] = [:]
  package var names: [String: MaskingRules.Mark] = [:]

  package init() {}

  package var isEmpty: Bool { types.isEmpty && names.isEmpty }

  /// - Parameter lineage: a class with those that it inherits from, itself first: the nearest that anything was said of decides.
  package func mark(_ lineage: [(type: ObjectIdentifier, name: String)]) -> MaskingRules.Mark? {
    for (type, name) in lineage {
      let marks = [types[type], names[name]]
      if marks.contains(.mask) { return .mask }
      if marks.contains(.unmask) { return .unmask }
    }
    return nil
  }
}
