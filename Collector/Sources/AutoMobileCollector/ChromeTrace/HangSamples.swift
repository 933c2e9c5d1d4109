/// The stacks of a hang, at the times at which they were seen.
///
/// A report says of equal stacks when the first was seen, and how many there were. The others are spread over the time until
/// another stack appeared, so that each weighs as much as it was seen.
struct HangSamples {
  /// In microseconds.
  let start: Int64
  private var nodes: [Node] = []
  private var known: [Node: Int] = [:]
  /// For each sample its innermost function, and when that was.
  private var seen: [(node: Int, time: Int64)] = []

  private struct Node: Hashable {
    /// 0: it is the outermost.
    var parent: Int
    var function: String
    var image: String
  }

  /// Samples of one hang; with more, each stands for several.
  private static let most: Int64 = 1000
  private static let deepest = 128

  /// - Returns: nil when there are none.
  init?(_ report: CrashReport, from start: Int64, to end: Int64) {
    self.start = start
    let samples = report.samples.filter { !$0.frames.isEmpty }
      .map { (at: min(start + (TraceClock.duration($0.atMs) ?? 0), end), sample: $0) }
      .sorted { $0.at < $1.at }
    guard !samples.isEmpty else { return nil }
    let total = samples.reduce(Int64(0)) { $0 + min($1.sample.count, 1_000_000) }
    for (index, (at, sample)) in samples.enumerated() {
      let node = add(sample.frames.prefix(Self.deepest), report)
      let next = index + 1 < samples.count ? samples[index + 1].at : end
      let count = min(sample.count, 1_000_000)
      let times = total <= Self.most ? count : max(1, count * Self.most / total)
      for number in 0..<times { seen.append((node, at + (next - at) / times * number)) }
    }
  }

  /// The number of the innermost function's node.
  private mutating func add(_ frames: ArraySlice<CrashReport.Frame>, _ report: CrashReport) -> Int {
    var parent = 0
    for frame in frames.reversed() {
      let image = frame.image.flatMap { report.images.indices.contains($0) ? report.images[$0].name : nil } ?? ""
      let node = Node(parent: parent, function: Self.name(of: frame), image: TraceMembers.name(image))
      if let number = known[node] {
        parent = number
      } else {
        nodes.append(node)
        known[node] = nodes.count
        parent = nodes.count
      }
    }
    return parent
  }

  static func name(of frame: CrashReport.Frame) -> String {
    let name = frame.function ?? frame.symbol ?? frame.address.map { "0x" + String($0, radix: 16) } ?? "?"
    return TraceMembers.name(name)
  }

  func write(to json: inout JSONOutput) {
    json.object("cpuProfile") {
      $0.array("nodes") {
        for (index, node) in nodes.enumerated() {
          $0.object {
            $0.member("id", Int64(index + 1))
            if node.parent > 0 { $0.member("parent", Int64(node.parent)) }
            $0.object("callFrame") {
              $0.member("functionName", node.function)
              $0.member("url", node.image)
              $0.member("scriptId", Int64(0))
            }
          }
        }
      }
      $0.array("samples") { for each in seen { $0.number(Int64(each.node)) } }
    }
    json.array("timeDeltas") {
      var last = start
      for each in seen {
        $0.number(each.time - last)
        last = each.time
      }
    }
  }
}

extension HangSamples {
  private static let listed = 8
  private static let listedFrames = 24

  /// The stacks that were seen most, as text: where no reader shows samples, they are said beside the hang.
  static func list(_ report: CrashReport, to json: inout JSONOutput) {
    let samples = report.samples.sorted { $0.count > $1.count }.prefix(listed)
    guard !samples.isEmpty else { return }
    json.array("samples") {
      for sample in samples {
        $0.object {
          $0.member("atMs", number: sample.atMs ?? 0)
          $0.member("count", sample.count)
          $0.array("stack") { for frame in sample.frames.prefix(listedFrames) { $0.string(name(of: frame)) } }
        }
      }
    }
  }
}
