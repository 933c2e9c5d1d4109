import AutoMobileJournal

/// A receiver, and what its answers have told about it.
struct Receiver {
  let endpoint: DeliveryEndpoint
  /// It has answered at least once, so ``format`` is not a guess.
  private(set) var isKnown = false
  private var offer = ReceiverOffer.nothing
  /// What ``recall(_:)`` found; nil before.
  private var remembered: ReceiverOffer?
  /// It said that it takes the journal format, and did not.
  private var brokenOffers = 0
  /// What it has refused of what it offered, or of what everybody takes.
  private var refused: Set<BodyCompression> = []

  init(_ endpoint: DeliveryEndpoint) { self.endpoint = endpoint }

  /// The format of the next request. Somebody who has not said that he knows the journal's gets the envelope.
  var format: DeliveryFormat { offer.journal && brokenOffers < 3 ? .journal : .envelope }

  /// How bodies in the journal's format are compressed; nil: they are not.
  var compression: BodyCompression? {
    if offer.dictionary, !refused.contains(.deflate) { return .deflate }
    return refused.contains(.gzip) ? nil : .gzip
  }

  /// Begins with what it said in an earlier launch. Asks the disk once, and not after its first answer.
  mutating func recall(_ memory: ReceiverMemory?) {
    guard !isKnown, remembered == nil, let memory else { return }
    offer = memory.recalls(endpoint)
    remembered = offer
  }

  /// Tells the next launch, when it is another thing than what the last one was told.
  mutating func keep(in memory: ReceiverMemory?) {
    let taken = format == .journal ? ReceiverOffer(journal: true, dictionary: compression == .deflate) : .nothing
    guard isKnown, let memory, remembered != taken else { return }
    remembered = taken
    memory.note(endpoint, takes: taken)
  }

  mutating func learn(from answer: HTTPAnswer) {
    guard answer.status != 0 else { return }
    isKnown = true
    // What stands in between answers 502 for it, without its headers.
    if RetryPolicy.isTransient(answer.status), answer[header: "accept-post"] == nil { return }
    offer = ReceiverOffer(answer)
  }

  /// The last request's format, or its compression, was not understood.
  ///
  /// - Returns: whether there is a simpler one.
  mutating func fallBack(from format: DeliveryFormat, _ compression: BodyCompression?) -> Bool {
    if let compression, offer.journal {
      refused.insert(compression)
      return true
    }
    guard format == .journal else { return false }
    brokenOffers += 1
    if offer.journal { brokenOffers = 3 }
    return true
  }
}
