import Foundation
import Logging
import NIOConcurrencyHelpers

/// Turns addresses and mangled names into functions, files and lines.
///
/// Two programs do the work, each kept running: LLVM's symbolizer, which only ever opens files of the ``SymbolStore``,
/// by the build that a report names and never by a path in it, and the demangler. Questions queue up behind each other,
/// some reports at most; answers are remembered.
package final class Symbolizer: @unchecked Sendable {
  // Unchecked because everything that changes belongs to `queue`, but for `waiting`, which has a lock of its own.

  /// One line of source that an address belongs to.
  struct Place: Equatable {
    /// As the debug information has it, mangled.
    var symbol: String?
    var file: String?
    var line: Int?
    var column: Int?
    var isInlined: Bool
  }

  /// An image whose symbols are here.
  private struct Image {
    var entry: SymbolStore.Entry
    var size: UInt64
  }

  private struct Key: Hashable {
    var id: String
    var address: UInt64
  }

  /// Too much is waiting: try again later.
  package struct Busy: Error {}

  package let store: SymbolStore
  package let tools: SymbolTools
  private let logger: Logger
  private let queue = DispatchQueue(label: "automobile.symbolizer")
  private let waiting = NIOLockedValueBox(0)
  private let maximumWaiting = 32

  private let symbolizer: LineTool?
  private let demangler: LineTool?
  private var places = BoundedCache<Key, [Place]>(limit: 100_000)
  private var names = BoundedCache<String, String>(limit: 50_000)
  private var idleTimer: DispatchWorkItem?
  /// That the store of symbols does not answer, and since when.
  private let trouble = NIOLockedValueBox<(error: BlobError, at: ContinuousClock.Instant)?>(nil)
  /// After so many seconds it is asked again; until then nothing waits for it.
  private let troubleSeconds = 10.0
  /// After so long without a question the programs end: debug information is large in memory.
  private let idleSeconds = 60.0
  /// Different addresses of one report that are looked up.
  private let maximumAddresses = 8192

  package init(
    store: SymbolStore, tools: SymbolTools, logger: Logger = Logger(label: "automobile.symbols"),
    timeLimit: Double = 30
  ) {
    self.store = store
    self.tools = tools
    self.logger = logger
    symbolizer = tools.symbolizer.map {
      // In the store's directory: files are named without a path, so no character of one needs a quote.
      LineTool(
        executable: $0,
        arguments: ["--output-style=JSON", "--inlines", "--functions=linkage", "--no-demangle"],
        directory: store.directory, timeLimit: timeLimit)
    }
    demangler = tools.demangler.map {
      LineTool(executable: $0.executable, arguments: $0.arguments, timeLimit: min(timeLimit, 5))
    }
  }

  /// Why lines cannot be had; nil when they can.
  package var problem: String? {
    guard tools.symbolizer != nil else {
      return "llvm-symbolizer is not installed, or not on the PATH: install LLVM, or name it with AUTOMOBILE_SYMBOLIZER"
    }
    return presentTrouble.map { "symbols cannot be read now: \($0)" }
  }

  private var presentTrouble: BlobError? {
    trouble.withLockedValue { trouble in
      trouble.flatMap { ContinuousClock.now - $0.at < .seconds(troubleSeconds) ? $0.error : nil }
    }
  }

  /// The report with functions, files and lines as far as they are known. Inlined functions become frames of their own.
  ///
  /// - Throws: ``Busy``.
  package func symbolicate(_ report: CrashReport) async throws -> CrashReport {
    let isTaken = waiting.withLockedValue { waiting in
      guard waiting < maximumWaiting else { return false }
      waiting += 1
      return true
    }
    guard isTaken else { throw Busy() }
    return await withCheckedContinuation { continuation in
      queue.async { [self] in
        let result = symbolicated(report) { _ in }
        waiting.withLockedValue { $0 -= 1 }
        continuation.resume(returning: result)
      }
    }
  }

  /// The same for a caller that may wait, and that nobody must keep out.
  ///
  /// - Throws: ``BlobError`` when symbols that are known are in a store that does not answer.
  func symbolicateNow(_ report: CrashReport) throws -> CrashReport {
    try queue.sync {
      var trouble: BlobError?
      let result = symbolicated(report) { trouble = $0 }
      if let trouble { throw trouble }
      return result
    }
  }

  /// The app's own images in which the report has frames, and whose lines are not known.
  package func missing(_ report: CrashReport) -> [CrashReport.Image] {
    let used = Set((report.threads.map(\.frames) + report.samples.map(\.frames)).joined().compactMap(\.image))
    return report.images.enumerated().filter { index, image in
      used.contains(index) && FrameRules.isAppImage(image) && image.id.flatMap(store.entry) == nil
    }.map(\.element)
  }

  /// Ends the programs.
  package func stop() {
    queue.sync {
      symbolizer?.end()
      demangler?.end()
    }
  }

  /// Forgets what was found out about a build.
  func forget(_ id: SymbolID) {
    queue.async { [self] in
      places.removeAll { $0.id == id.text }
      // It holds files open, and keeps what it has read of them.
      symbolizer?.end()
    }
  }

  // MARK: On the queue

  private func symbolicated(_ report: CrashReport, onTrouble: (BlobError) -> Void) -> CrashReport {
    defer { endWhenIdle() }
    let images = report.images.map { image in
      image.id.flatMap(store.entry).map { Image(entry: $0, size: image.size ?? .max) }
    }
    lookUp(Self.addresses(of: report, images, limit: maximumAddresses), onTrouble)
    var report = report
    for index in report.threads.indices { expand(&report.threads[index].frames, images) }
    for index in report.samples.indices { expand(&report.samples[index].frames, images) }
    demangle(Self.symbols(of: report))
    for index in report.threads.indices { name(&report.threads[index].frames) }
    for index in report.samples.indices { name(&report.samples[index].frames) }
    FrameRules.mark(&report)
    return report
  }

  private static func addresses(
    of report: CrashReport, _ images: [Image?], limit: Int
  ) -> Set<Key> {
    var keys: Set<Key> = []
    for frames in report.threads.map(\.frames) + report.samples.map(\.frames) {
      for (index, frame) in frames.enumerated() where keys.count < limit {
        if let key = key(frame, isFirst: index == 0, images) { keys.insert(key) }
      }
    }
    return keys
  }

  private static func key(_ frame: CrashReport.Frame, isFirst: Bool, _ images: [Image?]) -> Key? {
    guard let index = frame.image, images.indices.contains(index), let image = images[index],
      let offset = frame.offset, offset <= image.size
    else { return nil }
    // A return address is behind the call that it belongs to.
    let isExact = frame.trust == "context" || frame.trust == nil && isFirst
    let place = isExact || offset == 0 ? offset : offset - 1
    let (address, overflow) = image.entry.textAddress.addingReportingOverflow(place)
    return overflow ? nil : Key(id: image.entry.id, address: address)
  }

  private func lookUp(_ keys: Set<Key>, _ onTrouble: (BlobError) -> Void) {
    // By build: the symbolizer reads each file once, and keeps few of them.
    let missing = keys.filter { places[$0] == nil }
    guard !missing.isEmpty, let symbolizer else { return }
    let files = files(of: Set(missing.map(\.id)), onTrouble)
    let unknown = missing.filter { files[$0.id] != nil }.sorted { ($0.id, $0.address) < ($1.id, $1.address) }
    do {
      let questions = unknown.map { "CODE \(files[$0.id] ?? "") 0x\(String($0.address, radix: 16))" }
      for (key, answer) in zip(unknown, try symbolizer.ask(questions)) {
        if answer == nil {
          logger.warning("the symbolizer gave no answer", metadata: ["build": "\(key.id)"])
        }
        places[key] = answer.map(SymbolizerAnswer.places) ?? []
      }
    } catch {
      logger.error("the symbolizer cannot be run", metadata: ["error": "\(error)"])
    }
  }

  /// By build the name of its file, which is on this machine then.
  private func files(of builds: Set<String>, _ onTrouble: (BlobError) -> Void) -> [String: String] {
    var files: [String: String] = [:]
    for build in builds {
      if let error = presentTrouble {
        onTrouble(error)
        continue
      }
      do {
        files[build] = try waitFor { [store] in try await store.prepare(build) }
        trouble.withLockedValue { $0 = nil }
      } catch let error as BlobError where error.answer != nil {
        trouble.withLockedValue { $0 = (error, .now) }
        onTrouble(error)
        logger.warning("symbols cannot be read", metadata: ["build": "\(build)", "error": "\(error)"])
      } catch {
        logger.error("symbols cannot be read", metadata: ["build": "\(build)", "error": "\(error)"])
      }
    }
    return files
  }

  /// Puts a frame for each inlined function before the one that it was inlined into.
  private func expand(_ frames: inout [CrashReport.Frame], _ images: [Image?]) {
    var result: [CrashReport.Frame] = []
    result.reserveCapacity(frames.count)
    for (index, frame) in frames.enumerated() {
      let found = Self.key(frame, isFirst: index == 0, images).flatMap { places[$0] } ?? []
      guard !found.isEmpty, result.count < ReportLimits.frames else {
        result.append(frame)
        continue
      }
      for place in found {
        var line = frame
        line.symbol = place.symbol ?? frame.symbol
        // Counted from another function's beginning, the number would mislead.
        if line.symbol != frame.symbol { line.symbolOffset = nil }
        // `/<compiler-generated>` is no file.
        line.isGlue = place.file?.hasSuffix("<compiler-generated>") == true
        line.file = line.isGlue ? nil : place.file
        line.line = line.isGlue ? nil : place.line
        line.column = line.isGlue ? nil : place.column
        line.isInlined = place.isInlined
        line.isSymbolicated = true
        result.append(line)
      }
    }
    frames = result
  }

  private static func symbols(of report: CrashReport) -> Set<String> {
    var symbols: Set<String> = []
    for frames in report.threads.map(\.frames) + report.samples.map(\.frames) {
      for frame in frames { if let symbol = frame.symbol, Demangling.isMangled(symbol) { symbols.insert(symbol) } }
    }
    return symbols
  }

  private func demangle(_ symbols: Set<String>) {
    let unknown = symbols.filter { names[$0] == nil }.sorted()
    guard !unknown.isEmpty, let demangler else { return }
    do {
      for (symbol, answer) in zip(unknown, try demangler.ask(unknown)) {
        names[symbol] = answer.flatMap { $0.isEmpty ? nil : $0 } ?? symbol
      }
    } catch {
      logger.error("the demangler cannot be run", metadata: ["error": "\(error)"])
    }
  }

  private func name(_ frames: inout [CrashReport.Frame]) {
    for index in frames.indices {
      guard let symbol = frames[index].symbol else { continue }
      let name = names[symbol]
      frames[index].function = name.map { $0 == symbol ? symbol : FunctionName.short($0) } ?? symbol
    }
  }

  private func endWhenIdle() {
    idleTimer?.cancel()
    let timer = DispatchWorkItem { [weak self] in
      self?.symbolizer?.end()
      self?.demangler?.end()
    }
    idleTimer = timer
    queue.asyncAfter(deadline: .now() + idleSeconds, execute: timer)
  }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}

/// Remembers up to a number of things, and then begins anew.
struct BoundedCache<Key: Hashable, Value> {
  private var values: [Key: Value] = [:]
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  subscript(key: Key) -> Value? {
    get { values[key] }
    set {
      if values.count >= limit { values = [:] }
      values[key] = newValue
    }
  }

  mutating func removeAll(where isGone: (Key) -> Bool) { values = values.filter { !isGone($0.key) } }
}
