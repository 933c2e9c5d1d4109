/// What the demo asks for in flight recorder mode, and what came over the network before and after.
struct DemoFetches: Equatable {
  /// One session, as `automobile fetch` asks for it.
  struct Fetch: Equatable {
    var session: String
    /// Of it, before it was asked for; and then.
    var before: Int
    var after: Int
    var milliseconds: Double
    /// All that its device had told of came, and the ask says so.
    var came: Bool
  }

  var fetches: [Fetch] = []
  /// Over the network, as it came, by itself; nil: nobody knows.
  var firstBytes: Int?
  /// The same with all that the launches recorded.
  var wholeBytes: Int?

  /// "sent first: 24.1 kB of 61.5 kB over the network, 1/2.6; the rest when it was asked for"; nil where nobody knows.
  var share: String? {
    guard let firstBytes else { return nil }
    guard let wholeBytes, firstBytes > 0 else { return "sent by itself: \(Format.bytes(firstBytes)) over the network" }
    let ratio = Double(wholeBytes) / Double(firstBytes)
    let tenths = Int((ratio * 10).rounded())
    let text = ratio < 9.95 ? "\(tenths / 10).\(tenths % 10)" : Format.count(Int(ratio.rounded()))
    return "sent first: \(Format.bytes(firstBytes)) of \(Format.bytes(wholeBytes)) over the network, 1/\(text); "
      + "the rest when it was asked for"
  }
}
