import AutoMobileJournal
import Foundation

/// Keeps the SDK off for a launch when the launches before died while it was starting.
///
/// A marker is set before anything else is done, and taken away when ``SdkRuntime/start()`` has returned and the
/// background work of the start is done. A launch that finds the marker of a dead process counts it; after
/// ``StartRecord/tolerated`` in a row the SDK stays off for one launch, then tries again, then stays off for two, four,
/// up to sixteen. One start that succeeds, or another version of app or SDK, begins anew.
///
/// The marker lies in a file of 96 bytes, which the caller opens, reads and writes once (nothing is synced): the kernel keeps it when the process dies, and more is not needed. Where there can be no file there is no
/// guard, and the SDK starts.
final class CrashLoopGuard: Sendable {
  /// Why the SDK is off in this launch; nil when it is not.
  let refusal: String?
  private let path: String
  private let record: Locked<StartRecord?>
  private let process: Int32
  private let exit = Locked<ProcessExit.Observation?>(nil)

  /// - Parameters:
  ///   - owner: who records: processes of different owners may share the directory.
  ///   - build: what is started, for example the versions of app and SDK.
  init(
    directory: URL, owner: String, build: String, process: Int32 = getpid(),
    isAlive: (Int32) -> Bool = CrashLoopGuard.isAlive
  ) {
    path = directory.path + "/" + Self.fileName(owner: owner)
    self.process = process
    let file = Self.open(path) ?? ((try? JournalDirectory(directory).create()) == nil ? nil : Self.open(path))
    defer { file?.close() }
    var record = file.flatMap(Self.read) ?? StartRecord()
    let decision = record.begin(build: FNV1a(build).value, process: process, isAlive: isAlive)
    let isKept = file.map { Self.write(record, to: $0) } ?? false
    switch decision {
    case .start:
      refusal = nil
      self.record = Locked(isKept ? record : nil)
    case .stayOff(let deaths, let stage, let more):
      refusal = Self.explanation(deaths: deaths, stage: stage, more: more)
      self.record = Locked(nil)
    }
    guard isKept, refusal == nil else { return }
    // A program that ends by itself before its start is over has not died in it.
    let observation = ProcessExit.observe { [weak self] in self?.abandon() }
    exit.withLock { $0 = observation }
  }

  /// The start has come to another part. Writes 96 bytes into the page cache; for background threads.
  func enter(_ stage: String) {
    update { record in
      guard record.starting == process else { return }
      record.stage = stage
    }
  }

  /// The start is over, and the process lives.
  func succeeded() {
    update { $0.end(process: process) }
    release()
  }

  /// The start will not come to its end, and the process has not died in it.
  func abandon() {
    update { record in
      if record.starting == process { record.starting = 0 }
    }
    release()
  }

  private func release() {
    record.withLock { $0 = nil }
    exit.withLock { $0 = nil }
  }

  /// The deaths before this launch were not the SDK's doing.
  func forgive() { update { $0.forgive() } }

  private func update(_ change: (inout StartRecord) -> Void) {
    record.withLock { record in
      guard var changed = record else { return }
      change(&changed)
      guard changed != record else { return }
      record = changed
      guard let file = Self.open(path) else { return }
      _ = Self.write(changed, to: file)
      file.close()
    }
  }

  private static func explanation(deaths: UInt32, stage: String, more: UInt32) -> String {
    let next = more == 0 ? "in the next launch" : "after \(more) more"
    return "the SDK is off in this launch, because the process died in the last \(deaths) starts of the SDK, the last "
      + "time in: \(stage.isEmpty ? "initialize" : stage). It tries again \(next)."
  }

  // MARK: The file

  /// - Parameter owner: the same that the journal is opened with.
  static func fileName(owner: String) -> String { HexDigits.digits(FNV1a(owner).value) + ".start" }

  private static func open(_ path: String) -> FileDescriptor? {
    try? FileDescriptor(path: path, flags: O_RDWR | O_CREAT)
  }

  private static func read(_ file: FileDescriptor) -> StartRecord? {
    file.read(at: 0, count: StartRecord.size).withUnsafeBytes { StartRecord($0) }
  }

  private static func write(_ record: StartRecord, to file: FileDescriptor) -> Bool {
    record.encoded.withUnsafeBytes { bytes in (try? file.write(bytes, at: 0)) != nil }
  }

  /// Whether another process of this number runs.
  static func isAlive(_ process: Int32) -> Bool {
    guard process > 0, process != getpid() else { return false }
    return kill(process, 0) == 0 || errno != ESRCH
  }
}

extension CrashLoopGuard {
  /// Nil when there is to be none.
  convenience init?(_ place: RecordingPlace, _ environment: SdkEnvironment) {
    guard environment.guardsAgainstCrashLoops else { return nil }
    let build = "\(AutoMobileSDK.version) \(environment.appVersion ?? "")"
    self.init(directory: place.directory, owner: place.owner, build: build)
  }
}
