import NIOCore

/// An outline as the API gives it out: columns of numbers, which a browser reads many times quicker than objects.
struct OutlineColumns {
  /// More are not laid out at once; who asks for the rest begins after the last one.
  static let most = 500_000
  private var times: [Int64] = []
  private var ids: [Int64] = []
  private var types: [UInt16] = []
  private var launches: [UInt16] = []
  private var severities: [UInt8] = []
  /// Milliseconds; −1 for what has none.
  private var durations: [Int32] = []
  private var origins: [UInt32] = []
  var screens: [(id: Int64, name: String)] = []
  private var typeNames: [String] = []
  private var launchNames: [String] = []
  private var typeNumbers = Numbering()
  private var launchNumbers = Numbering()
  private var originNumbers = Numbering()
  private var newest: Int64 = 0
  /// The type of custom events.
  var custom: Int64?
  /// The type of crashes.
  var crash: Int64?
  /// Crashes at the end, of the last millisecond: what comes of the same goes before them (``EventOrder``).
  private var lastCrashes = 0

  /// Custom events of the SDK's own, which have a place on the timeline: types of their own here, by numbers that no type has.
  private static let ownNames = [(name: "Frames", type: "frames"), (name: "App Launch", type: "app_launch")]
  private static let ownTypes = Dictionary(
    uniqueKeysWithValues: ownNames.enumerated().map { (Outline.origin(ofName: $1.name), -1 - Int64($0)) })

  /// Numbers by the order in which they come: small, whatever they were.
  private struct Numbering {
    var values: [Int64] = []
    private var places: [Int64: Int] = [:]
    /// Runs of the same are the rule.
    private var last: (value: Int64, place: Int)?

    mutating func place(of value: Int64) -> Int {
      if let last, last.value == value { return last.place }
      let place = places[value] ?? values.count
      if place == values.count {
        places[value] = place
        values.append(value)
      }
      last = (value, place)
      return place
    }
  }

  mutating func add(
    timestamp: Int64, id: Int64, type: Int64, launch: Int64, severity: Int64, duration: Int64?, origin: Int64
  ) {
    let isCrash = type == crash
    if timestamp != times.last { lastCrashes = 0 }
    let place = isCrash ? times.count : times.count - lastCrashes
    if isCrash { lastCrashes += 1 }
    times.insert(timestamp, at: place)
    ids.insert(id, at: place)
    newest = max(newest, id)
    let ownType = type == custom ? Self.ownTypes[origin] : nil
    types.insert(UInt16(clamping: typeNumbers.place(of: ownType ?? type)), at: place)
    launches.insert(UInt16(clamping: launchNumbers.place(of: launch)), at: place)
    severities.insert(UInt8(clamping: severity), at: place)
    durations.insert(Int32(clamping: duration ?? -1), at: place)
    origins.insert(UInt32(clamping: originNumbers.place(of: origin)), at: place)
  }

  /// - Parameters:
  ///   - type: the name of a type, by its number.
  ///   - launch: the name of a launch, by its number.
  mutating func addNames(type: (Int64) throws -> String, launch: (Int64) throws -> String) rethrows {
    typeNames = try typeNumbers.values.map { try $0 < 0 ? Self.ownNames[Int(-1 - $0)].type : type($0) }
    launchNames = try launchNumbers.values.map(launch)
  }

  // MARK: JSON

  /// Times and ids each as what they are more than the one before.
  func write(to json: inout JSONOutput, _ query: SearchQuery) {
    json.object {
      writeHead(to: &$0)
      query.writeMarks(to: &$0)
      writeDifferences("times", times, to: &$0)
      writeDifferences("ids", ids, to: &$0)
      $0.array("types") { for value in types { $0.number(Int64(value)) } }
      $0.array("launches") { for value in launches { $0.number(Int64(value)) } }
      $0.array("severities") { for value in severities { $0.number(Int64(value)) } }
      $0.array("durations") { for value in durations { $0.number(Int64(value)) } }
      $0.array("origins") { for value in origins { $0.number(Int64(value)) } }
    }
  }

  private func writeDifferences(_ name: String, _ values: [Int64], to json: inout JSONOutput) {
    json.array(name) {
      var last: Int64 = 0
      for value in values {
        $0.number(value &- last)
        last = value
      }
    }
  }

  private func writeHead(to json: inout JSONOutput) {
    json.member("newest", newest)
    json.member("complete", times.count < Self.most)
    json.array("typeNames") { for name in typeNames { $0.string(name) } }
    json.array("launchNames") { for name in launchNames { $0.string(name) } }
    json.array("screens") {
      for (id, name) in screens {
        $0.array {
          $0.number(id)
          $0.string(name)
        }
      }
    }
  }

  // MARK: Packed

  static let packedType = "application/vnd.automobile.outline"

  /// What a browser takes as it is, without reading a number: the length of a head (32 bits), the head as JSON, blanks up to
  /// a multiple of eight, and the columns, little-endian: times and ids (64-bit floating-point), durations and origins (32
  /// bits), types and launches (16), severities (8).
  var packed: ByteBuffer {
    var json = JSONOutput()
    json.object {
      $0.member("count", Int64(times.count))
      writeHead(to: &$0)
    }
    let padding = (8 - (4 + json.buffer.readableBytes) % 8) % 8
    var result = ByteBuffer()
    result.reserveCapacity(12 + json.buffer.readableBytes + times.count * 29)
    result.writeInteger(UInt32(json.buffer.readableBytes + padding), endianness: .little)
    result.writeImmutableBuffer(json.buffer)
    result.writeRepeatingByte(0x20, count: padding)
    // Arrays are little-endian on all machines that this is built for.
    times.map(Double.init).withUnsafeBytes { _ = result.writeBytes($0) }
    ids.map(Double.init).withUnsafeBytes { _ = result.writeBytes($0) }
    durations.withUnsafeBytes { _ = result.writeBytes($0) }
    origins.withUnsafeBytes { _ = result.writeBytes($0) }
    types.withUnsafeBytes { _ = result.writeBytes($0) }
    launches.withUnsafeBytes { _ = result.writeBytes($0) }
    severities.withUnsafeBytes { _ = result.writeBytes($0) }
    return result
  }
}
