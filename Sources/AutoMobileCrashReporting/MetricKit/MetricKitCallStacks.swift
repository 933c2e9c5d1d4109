import AutoMobileJournal
import AutoMobileRecorder

/// Turns a call stack tree of MetricKit's into threads, samples and images.
///
/// The tree has two shapes. Of a crash, each thread is a chain that begins with the **innermost** frame; its callers are
/// nested in it. What is sampled (hangs, processor, disk) is a tree that begins with the **outermost** frame and branches
/// toward the leaves; a frame that was seen more often than the frames below it was a leaf itself in those samples. Which
/// one it is shows at the ends: threads begin in `dyld` or, all but the main one, in `libsystem_pthread`.
enum MetricKitCallStacks {
  static let maximumFrames = 512
  static let maximumThreads = 128
  /// Different stacks of a sampled tree, the most frequent first.
  static let maximumSamples = 32
  /// Frames that are looked at in all.
  private static let maximumVisited = 100_000

  static func read(_ tree: FlatJSON.Value, into report: inout DiagnosticReport, isSampled: Bool) {
    // Older systems nest the tree once more.
    let tree = tree["callStacks"] == nil ? tree["callStackTree"] ?? tree : tree
    var images = Images()
    var samples: [DiagnosticReport.Sample] = []
    var visited = 0
    let stacks = tree["callStacks"].map { Array($0.children.prefix(maximumThreads)) } ?? []
    for (number, stack) in stacks.enumerated() {
      let isAttributed = stack["threadAttributed"]?.bool ?? false
      var paths: [(count: Int, frames: [DiagnosticReport.Frame], isTruncated: Bool)] = []
      for root in stack["callStackRootFrames"].map({ Array($0.children.prefix(maximumSamples)) }) ?? [] {
        paths += Self.paths(root, &images, &visited, beginsOutside: beginsOutside(root, isSampled: isSampled))
      }
      paths.sort { $0.count > $1.count }
      if let heaviest = paths.first {
        var thread = DiagnosticReport.Thread(
          id: UInt64(clamping: number), crashed: isAttributed && !isSampled, main: number == 0, frames: heaviest.frames)
        thread.truncated = heaviest.isTruncated
        report.threads.append(thread)
      }
      if isSampled, isAttributed || stacks.count == 1 {
        samples += paths.map { .init(atMs: 0, count: $0.count, frames: $0.frames) }
      }
    }
    if let crashed = report.threads.firstIndex(where: \.crashed) {
      report.threads.swapAt(0, crashed)
    }
    if isSampled, !samples.isEmpty {
      samples.sort { $0.count > $1.count }
      report.samples = Array(samples.prefix(maximumSamples))
    }
    report.images = images.list
  }

  /// From each leaf to its root, innermost first. Goes through the tree without recursion.
  private static func paths(
    _ root: FlatJSON.Value, _ images: inout Images, _ visited: inout Int, beginsOutside: Bool
  ) -> [(count: Int, frames: [DiagnosticReport.Frame], isTruncated: Bool)] {
    var paths: [(count: Int, frames: [DiagnosticReport.Frame], isTruncated: Bool)] = []
    var path: [DiagnosticReport.Frame] = []
    var isCut = false
    // Each entry: a frame still to be visited, and its depth.
    var ahead: [(value: FlatJSON.Value, depth: Int)] = [(root, 0)]
    while let (value, depth) = ahead.popLast() {
      visited &+= 1
      guard visited <= maximumVisited, paths.count < maximumSamples &* 4 else { break }
      path.removeLast(max(0, path.count &- depth))
      if depth < maximumFrames { path.append(images.frame(value)) } else { isCut = true }
      var own = value["sampleCount"]?.integer ?? 1
      let children = value["subFrames"].map { Array($0.children) } ?? []
      for child in children { own = max(0, own.subtracting(saturating: child["sampleCount"]?.integer ?? 1)) }
      if children.isEmpty || (beginsOutside && own > 0) {
        paths.append((max(1, own), beginsOutside ? path.reversed() : path, depth >= maximumFrames))
      }
      for child in children.reversed() { ahead.append((child, depth &+ 1)) }
    }
    if isCut { for index in paths.indices { paths[index].isTruncated = true } }
    return paths
  }

  private static func beginsOutside(_ root: FlatJSON.Value, isSampled: Bool) -> Bool {
    let outermost: Set = ["dyld", "libdyld.dylib"]
    if let name = root["binaryName"]?.string, outermost.contains(name) { return true }
    var leaf = root
    for _ in 0..<FlatJSON.maximumDepth {
      guard let next = leaf["subFrames"]?.children.first(where: { _ in true }) else { break }
      leaf = next
    }
    if let name = leaf["binaryName"]?.string, outermost.contains(name) { return false }
    return isSampled
  }

  /// The images that frames name, each once.
  private struct Images {
    var list: [DiagnosticReport.Image] = []
    private var indices: [String: Int] = [:]

    init() {}

    /// An offset beyond this is an address: of some diagnostics MetricKit gives where the image is loaded instead.
    private static let largestOffset: UInt64 = 1 << 32

    mutating func frame(_ value: FlatJSON.Value) -> DiagnosticReport.Frame {
      let address = value["address"]?.unsigned ?? 0
      var frame = DiagnosticReport.Frame(address: CodeAddress(address))
      let uuid = value["binaryUUID"]?.string.map { String($0.prefix(64)) }
      guard let name = value["binaryName"]?.string.map({ String($0.prefix(256)) }) ?? uuid else { return frame }
      var offset = value["offsetIntoBinaryTextSegment"]?.unsigned ?? 0
      if offset > Self.largestOffset, offset <= address { offset = address &- offset }
      let base = offset <= address ? address &- offset : 0
      let key = "\(name) \(uuid ?? "") \(base)"
      if let index = indices[key] {
        frame.image = index
        list[index].size = max(list[index].size, offset.adding(saturating: 1))
      } else {
        frame.image = list.count
        indices[key] = list.count
        let hex = uuid?.lowercased().filter(\.isHexDigit)
        list.append(.init(name: name, uuid: hex, base: CodeAddress(base), size: offset.adding(saturating: 1)))
      }
      frame.offset = CodeAddress(offset)
      return frame
    }
  }
}
