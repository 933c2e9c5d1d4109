import AutoMobileJournal

/// What an index holds of an event beside its bytes, read in one pass.
struct IndexedEvent {
  let fields: EventFields
  /// Decodes the fields' texts.
  let scanner: JSONScanner
  let name: String
  let timestamp: Int64
  let payload: UnsafeRawBufferPointer
  /// The launch that it happened in, when a later one tells of it.
  let earlier: String?

  /// - Parameters:
  ///   - words: becomes the values of all texts, a blank behind each, when they are collected. It keeps its room: one allocation
  ///     serves all events.
  /// - Throws: ``JSONError``: it cannot be indexed.
  init(
    _ payload: UnsafeRawBufferPointer, limits: CollectorLimits, words: inout [UInt8], collecting: Bool
  ) throws {
    guard payload.count <= limits.eventBytes else {
      throw JSONError(offset: limits.eventBytes, message: "the event is longer than \(limits.eventBytes) bytes")
    }
    var scanner = JSONScanner(payload, maximumDepth: limits.jsonDepth)
    if collecting {
      words.removeAll(keepingCapacity: true)
      scanner.collected = words
      words = []
    }
    fields = try EventFields(&scanner)
    words = scanner.collected ?? []
    scanner.collected = nil
    self.scanner = scanner
    self.payload = payload
    guard let type = fields.eventType else { throw JSONError(offset: 0, message: "the event has no eventType") }
    guard let timestamp = fields.timestamp else { throw JSONError(offset: 0, message: "the event has no timestamp") }
    name = scanner.decode(type)
    self.timestamp = timestamp
    earlier = fields.ofLaunch.map { scanner.decode($0) }
  }

  var isError: Bool { EventTypes.isError(name, fields) }
  var outline: Outline { Outline(type: name, fields, payload) }
  /// The context that it carries itself.
  var context: UnsafeRawBufferPointer? {
    fields.context.map { UnsafeRawBufferPointer(rebasing: payload[$0]) }
  }

  /// What a `session_summary` event says; nil when that cannot be believed: what it names as its launch has to be one, or every
  /// word that a stranger makes up would be another launch.
  var summary: SessionSummary? {
    guard name == EventTypes.summary, earlier.map({ LaunchID($0) != nil }) ?? true else { return nil }
    return SessionSummary(payload)
  }

  /// The session that a summary names: the context that it comes in may be that of the next one already.
  var summarised: String? {
    guard let text = fields.session, text.range.count <= EventFields.maximumName else { return nil }
    let name = scanner.decode(text)
    return name.isEmpty || name.hasControlCharacters ? nil : name
  }

  /// Whether it may be a measurement of health; then ``Measurement`` says which.
  var isMeasured: Bool {
    switch name {
    case "custom":
      fields.name.map { scanner.matches($0, Measurement.launchName) || scanner.matches($0, Measurement.framesName) }
        ?? false
    case "interaction":
      fields.interactionType.map {
        scanner.matches($0, Measurement.rageTap) || scanner.matches($0, Measurement.deadTap)
      } ?? false
    default: false
    }
  }
}
