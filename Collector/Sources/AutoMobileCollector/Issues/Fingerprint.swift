/// What two reports of one problem have in common.
///
/// It is made of the app, the kind, the cause (signal or type of the exception) and the innermost functions of the app
/// itself: four for a crash, three for a failure, two for a hang, whose stack moves; of a failure also of what the app said
/// about it, without what varies (``MessageTemplate``). Or the app names it itself, and nothing else counts. Functions are named by their
/// mangled symbols without what compilers append to clones, so that neither addresses, nor builds, nor whether lines are
/// known make a difference. A function that comes again (recursion) counts once. Where a frame has no symbol, its place
/// in the image stands for it; that holds within one build, until symbols are added.
struct Fingerprint: Equatable {
  /// The name of the issue: sixteen hexadecimal digits.
  var name: String
  /// The frame that the title names; nil when the report has none.
  var culprit: CrashReport.Frame?
  /// Builds whose symbols could say more of it.
  var images: Set<SymbolID> = []

  /// Of a report whose frames are marked (``FrameRules``).
  init(_ event: EventReport, bundleId: String?) {
    let frames = event.report.principalFrames
    let own = frames.filter { ($0.isInApp || $0.isGlue) && !$0.isInlined }
    // Nothing of the app: what is left when the machinery is passed over.
    let chosen = own.isEmpty ? frames.filter { !FrameRules.isMachinery($0.symbol) && !$0.isInlined } : own
    var keys: [String] = []
    for frame in chosen {
      let key = Self.key(frame, of: event.report)
      if !keys.contains(key) { keys.append(key) }
      if keys.count == Self.depth(event.kind) { break }
    }
    // An inlined function is where it happened, although its caller is what makes the fingerprint.
    culprit = Self.culprit(own.isEmpty ? chosen : frames, isOwn: !own.isEmpty, event.kind)
    images = Set(own.prefix(16).compactMap { $0.image }.compactMap { Self.image($0, of: event.report)?.id })
    var parts = [bundleId ?? "", event.kind.rawValue]
    if let own = event.fingerprint {
      parts += ["the app's own", own]
    } else {
      parts += [Self.cause(event)] + keys
      // Two failures of one function may be two problems; a crash's message tells of the values that led to it.
      if event.kind == .failure, let said = MessageTemplate.make(event.customMessage ?? event.errorMessage) {
        parts += ["said", said]
      } else if keys.isEmpty {
        parts.append(Self.withoutNumbers(event.errorMessage ?? event.customMessage ?? ""))
      }
    }
    var text = parts.joined(separator: "\u{1F}")
    let hash = text.withUTF8 { SyntheticNames.hash(UnsafeRawBufferPointer($0), seed: 0x6973_7375_65) }
    let digits = String(hash, radix: 16)
    name = String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Of another app than the one that had the name first: nobody finds another app's name that makes the same of it.
  static func marked(_ name: String, bundleId: String?) -> String {
    name + "-" + SHA256.hex(Array((bundleId ?? "").utf8)).prefix(32)
  }

  /// What runs first is at fault only where nothing else of the app is; and no hang is its fault.
  private static func culprit(
    _ frames: [CrashReport.Frame], isOwn: Bool, _ kind: EventReport.Kind
  ) -> CrashReport.Frame? {
    let written = frames.filter { $0.isInApp || !isOwn }
    if let frame = written.first(where: { !FrameRules.isEntry($0.symbol) }) { return frame }
    if kind != .hang, let entry = written.first { return entry }
    return frames.first { !$0.isGlue && !$0.isInApp && !$0.isInlined && !FrameRules.isMachinery($0.symbol) }
  }

  static func depth(_ kind: EventReport.Kind) -> Int {
    switch kind {
    case .crash: 4
    case .failure: 3
    case .hang: 2
    }
  }

  private static func cause(_ event: EventReport) -> String {
    // A hang of three seconds and one of six are the same problem.
    event.kind == .hang ? "" : event.cause
  }

  private static func key(_ frame: CrashReport.Frame, of report: CrashReport) -> String {
    if let symbol = frame.symbol { return withoutCloneSuffix(symbol) }
    let name = frame.image.flatMap { image($0, of: report)?.name } ?? "?"
    let place = frame.offset ?? frame.address ?? 0
    return "\(name)+\(String(place, radix: 16))"
  }

  private static func image(_ index: Int, of report: CrashReport) -> CrashReport.Image? {
    report.images.indices.contains(index) ? report.images[index] : nil
  }

  /// `checkout.cold.1`, `checkout.isra.0`, `checkout.llvm.123` are `checkout`.
  static func withoutCloneSuffix(_ symbol: String) -> String {
    for mark in [".cold", ".isra", ".part", ".constprop", ".llvm", ".lto_priv", ".resume", ".destroy"] {
      for range in symbol.ranges(of: mark) {
        // As compilers write it, with a number: Cart.partition() and Player.resume are somebody's methods.
        let rest = symbol[range.upperBound...]
        let isNumbered = rest.first == "." && rest.dropFirst().first?.isNumber == true
        if isNumbered || mark == ".cold" && (rest.isEmpty || rest.first == " ") {
          return String(symbol[..<range.lowerBound])
        }
      }
    }
    return symbol
  }

  /// Addresses, ids and counts differ from one report to the next.
  static func withoutNumbers(_ text: String) -> String {
    var result = ""
    var inNumber = false
    for character in text.prefix(200) {
      if character.isHexDigit && (inNumber || character.isNumber) {
        if !inNumber { result.append("#") }
        inNumber = true
      } else {
        inNumber = character == "x" && inNumber
        if !inNumber { result.append(character) }
      }
    }
    return result
  }
}
