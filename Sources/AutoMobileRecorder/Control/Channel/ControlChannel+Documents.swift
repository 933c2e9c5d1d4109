import Foundation

// What becomes of documents. On the channel's queue.
extension ControlChannel {
  var isOff: Bool { !state.status.isRecordingAllowed }

  /// Applies what is in the cache; without anything there, the defaults.
  func load() {
    state.isLoaded = true
    switch options.cache.load() {
    case .entry(let entry):
      do {
        var document = try ControlDocument(json: entry.document)
        state.json = entry.document
        if options.cache.isMarkedOff, document.switchesOn {
          // Killed between the mark and the document: recording had just been switched off, or on. Until a collector says which, it is
          // off; without a tag, all of the document is sent.
          document = ControlDocument(
            issuer: document.issuer, version: document.version,
            sections: document.sections.merging(ControlDocument.off.sections) { $1 })
        } else {
          state.tag = entry.tag
        }
        state.document = document
        state.status.version = document.version
        state.status.lastCheck = entry.checkedAt
      } catch {
        note(.failed, "the document that was saved cannot be read: \(error)")
        if options.cache.isMarkedOff { state.document = .off }
      }
    case .nothing:
      // Of a document that switched recording off only the mark is left: it stays off until a collector says otherwise.
      if options.cache.isMarkedOff { state.document = .off }
    case .foreign: break
    }
    tell(state.observers)
    if isOff != options.cache.isMarkedOff { keep { try $0.mark(isOff) } }
  }

  /// Takes over a document that a collector has sent, unless it is an old one that somebody sends again.
  func apply(_ json: Data, tag: String) {
    let document: ControlDocument
    do {
      document = try ControlDocument(json: json)
    } catch {
      return refuse("\(error)")
    }
    if let current = state.document, document.isOlder(than: current) {
      return refuse("version \(document.version) is older than version \(current.version), which is in use")
    }
    let wasOff = isOff
    state.document = document
    state.json = json
    state.tag = tag
    state.status.version = document.version
    tell(state.observers)
    let change = isOff == wasOff ? "" : isOff ? ": recording is switched off" : ": recording is switched on again"
    note(.applied, "version \(document.version)\(change)")
    confirm()
  }

  /// The collector says that the document in use is the current one.
  func confirm() {
    let now = clock.wall()
    state.status.lastError = nil
    state.status.lastCheck = now
    keep { cache in
      guard let tag = state.tag, let json = state.json else { return }
      try cache.save(ControlCache.Entry(document: json, tag: tag, checkedAt: now), isOff: isOff)
    }
    publish()
  }

  private func keep(_ change: (ControlCache) throws -> Void) {
    do {
      try change(options.cache)
    } catch {
      note(.failed, "the document could not be saved for the next launch: \(error.localizedDescription)")
    }
  }

  private func refuse(_ reason: String) {
    state.status.lastError = reason
    note(.refused, reason)
  }
}

extension ControlDocument {
  /// What a mark without a document stands for.
  static let off = ControlDocument(issuer: "cache", version: 0, sections: ["recording": ["enabled": false]])

  /// A section that cannot be read switches nothing off.
  fileprivate var switchesOn: Bool {
    let section = sections[RecordingSection.name].flatMap {
      try? RecordingSection(ControlValue(RecordingSection.name, $0))
    }
    return section?.isEnabled ?? true
  }
}
