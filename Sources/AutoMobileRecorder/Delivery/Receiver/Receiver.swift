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
  /// Answers to bodies with the dictionary that somebody else gave, one after the other.
  private var strangersToDictionary = 0
  /// All of these were of the kind that whatever stands in between gives as long as nobody is behind it: so they say something about now,
  /// and nothing about the dictionary.
  private var areStrangersTransient = true

  /// What stands in between and looks into bodies may know no dictionary, and refuse them with whatever status it likes: after so many
  /// answers of that kind bodies go without it. One may be an accident.
  private static let patienceWithStrangers = 3

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
    if offer.isDictionaryRefused {
      refused.insert(.deflate)
      areStrangersTransient = false
    }
  }

  /// Tells the next launch, when it is another thing than what the last one was told.
  mutating func keep(in memory: ReceiverMemory?) {
    guard isKnown, let memory else { return }
    var taken = ReceiverOffer.nothing
    if format == .journal {
      taken = ReceiverOffer(
        journal: true, dictionary: compression == .deflate,
        isDictionaryRefused: offer.dictionary && refused.contains(.deflate) && !areStrangersTransient)
    }
    guard remembered != taken else { return }
    remembered = taken
    memory.note(endpoint, takes: taken)
  }

  /// - Parameter compression: of the body that is answered.
  mutating func learn(from answer: HTTPAnswer, _ compression: BodyCompression? = nil) {
    guard answer.status != 0 else { return }
    isKnown = true
    let isItsOwn = answer[header: "accept-post"] != nil
    if compression == .deflate {
      strangersToDictionary = isItsOwn ? 0 : strangersToDictionary + 1
      if !isItsOwn, !RetryPolicy.isTransient(answer.status) { areStrangersTransient = false }
      if strangersToDictionary >= Self.patienceWithStrangers { refused.insert(.deflate) }
    }
    // What stands in between answers 502 for it, without its headers.
    if RetryPolicy.isTransient(answer.status), !isItsOwn { return }
    offer = ReceiverOffer(answer)
  }

  /// The last request's format, or its compression, was not understood.
  ///
  /// - Returns: whether there is a simpler one.
  mutating func fallBack(from format: DeliveryFormat, _ compression: BodyCompression?) -> Bool {
    // Whoever did not understand the dictionary may well understand the format: of that nothing is known then.
    if let compression, offer.journal || compression == .deflate {
      refused.insert(compression)
      areStrangersTransient = areStrangersTransient && compression != .deflate
      return true
    }
    guard format == .journal else { return false }
    brokenOffers += 1
    if offer.journal { brokenOffers = 3 }
    return true
  }
}
