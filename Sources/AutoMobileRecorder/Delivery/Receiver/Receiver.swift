import AutoMobileJournal

/// A receiver, and what its answers have told about it.
struct Receiver {
  let endpoint: DeliveryEndpoint
  /// It has answered at least once, so ``format`` is not a guess.
  private(set) var isKnown = false
  private var offersJournal = false
  /// What ``recall(_:)`` found; nil before.
  private var remembered: Bool?
  /// It said that it takes the journal format, and did not.
  private var brokenOffers = 0
  private(set) var takesGzip = true

  init(_ endpoint: DeliveryEndpoint) { self.endpoint = endpoint }

  /// The format of the next request. Somebody who has not said that he knows the journal's gets the envelope.
  var format: DeliveryFormat { offersJournal && brokenOffers < 3 ? .journal : .envelope }

  /// Begins with what it said in an earlier launch. Asks the disk once, and not after its first answer.
  mutating func recall(_ memory: ReceiverMemory?) {
    guard !isKnown, remembered == nil, let memory else { return }
    let takesJournal = memory.recalls(endpoint)
    (remembered, offersJournal) = (takesJournal, takesJournal)
  }

  /// Tells the next launch, when it is another thing than what the last one was told.
  mutating func keep(in memory: ReceiverMemory?) {
    let takesJournal = format == .journal
    guard isKnown, let memory, remembered != takesJournal else { return }
    remembered = takesJournal
    memory.note(endpoint, takesJournal: takesJournal)
  }

  mutating func learn(from answer: HTTPAnswer) {
    guard answer.status != 0 else { return }
    isKnown = true
    // What stands in between answers 502 for it, without its headers.
    if RetryPolicy.isTransient(answer.status), answer[header: "accept-post"] == nil { return }
    offersJournal = Self.offersJournal(answer)
  }

  /// The last request's format was not understood.
  ///
  /// - Returns: whether there is a simpler one.
  mutating func fallBack(from format: DeliveryFormat, compressed: Bool) -> Bool {
    if compressed, offersJournal {
      takesGzip = false
      return true
    }
    guard format == .journal else { return false }
    brokenOffers += 1
    if offersJournal { brokenOffers = 3 }
    return true
  }

  /// The answer's header says that bodies in the journal format may be posted.
  static func offersJournal(_ answer: HTTPAnswer) -> Bool {
    (answer[header: "accept-post"] ?? "").split(separator: ",").contains { type in
      type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased() == BatchHeader.mediaType
    }
  }
}
