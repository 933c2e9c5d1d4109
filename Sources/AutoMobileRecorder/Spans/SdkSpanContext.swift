/// Which span of which trace: the two names by which programs tell each other, as W3C Trace Context has them
/// (https://www.w3.org/TR/trace-context/). A value of a few words; making one allocates nothing.
public struct SdkSpanContext: Sendable, Hashable {
  let traceHigh: UInt64
  let traceLow: UInt64
  let span: UInt64
  /// The trace's flags: 1 when whoever began it records it.
  let flags: UInt8
  /// How many spans lie around it in this program: of two that are current, the deeper one is the inner one. No part of its name.
  let depth: UInt16

  /// A new span: of its parent's trace, or of a new one.
  public init(childOf parent: SdkSpanContext? = nil) {
    // A parent is around it already, unless there are two ways of being inside.
    let around = SdkSpanContext.hasOtherSource ? SdkSpanContext.current?.depth ?? 0 : 0
    let depth = max(around, parent?.depth ?? 0)
    let own = depth == .max ? depth : depth &+ 1
    if let parent {
      self.init(
        traceHigh: parent.traceHigh, traceLow: parent.traceLow, span: SpanNames.next(), flags: parent.flags, depth: own)
    } else {
      let (high, low, span) = SpanNames.three()
      self.init(traceHigh: high, traceLow: low, span: span, depth: own)
    }
  }

  init(traceHigh: UInt64, traceLow: UInt64, span: UInt64, flags: UInt8 = 1, depth: UInt16 = 0) {
    self.traceHigh = traceHigh
    self.traceLow = traceLow
    self.span = span
    self.flags = flags
    self.depth = depth
  }

  public static func == (left: SdkSpanContext, right: SdkSpanContext) -> Bool {
    left.traceHigh == right.traceHigh && left.traceLow == right.traceLow && left.span == right.span
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(span) }

  // MARK: As text

  /// 32 hexadecimal digits, in lower case.
  public var traceId: String { SpanNames.text(traceHigh) + SpanNames.text(traceLow) }

  /// 16 hexadecimal digits, in lower case.
  public var spanId: String { SpanNames.text(span) }

  /// The header by which another program goes on with the trace, this span being the parent.
  public var traceparent: String { "00-\(traceId)-\(spanId)-\(flags & 1 == 0 ? "00" : "01")" }

  /// Reads the ids; nil when one is no number of its length in lower case, or is zero.
  public init?(traceId: String, spanId: String) {
    guard let trace = SpanNames.numbers(traceId.utf8, count: 2), let span = SpanNames.numbers(spanId.utf8, count: 1),
      trace.0 | trace.1 != 0, span.1 != 0
    else { return nil }
    self.init(traceHigh: trace.0, traceLow: trace.1, span: span.1)
  }

  /// Reads a `traceparent` header; nil when it is none. One of a later version is read as far as this one goes.
  public init?(traceparent: String) {
    let text = Array(traceparent.utf8.prefix(57))
    let dash = UInt8(ascii: "-")
    guard text.count >= 55, text[2] == dash, text[35] == dash, text[52] == dash,
      let version = SpanNames.byte(text[0], text[1]), version != 0xFF,
      text.count == 55 || version != 0 && text[55] == dash,
      let trace = SpanNames.numbers(text[3..<35], count: 2), let span = SpanNames.numbers(text[36..<52], count: 1),
      let flags = SpanNames.byte(text[53], text[54]), trace.0 | trace.1 != 0, span.1 != 0
    else { return nil }
    self.init(traceHigh: trace.0, traceLow: trace.1, span: span.1, flags: flags)
  }
}
