import AutoMobileJournal
import AutoMobileSupport
import CAutoMobile
import Foundation

/// Has the SDK do less in a launch when the launches before died of its start.
///
/// A mark is set before anything else is done. The next launch asks who ended the process that set it: a crash handler says
/// whether the thread that crashed did the SDK's work (``OwnWork``), and only then the death is the SDK's; the app's crash
/// forgives what was counted before. Where no handler had a word, the death counts when the thread that initializes was still in
/// the SDK: whatever ends the process later may have been Xcode, the user or the system.
///
/// After ``StartRecord/tolerated`` deaths in a row the SDK runs in safe mode for one launch, in which it reports crashes and does
/// nothing else on its own; then it tries again, then is safe for two launches, four, up to sixteen. Should it die in safe mode as
/// well, it stays off in their place. Another version of app or SDK begins anew.
///
/// The mark lies in a file of 128 bytes, which the caller opens, reads and writes, and writes once more when `initialize` returns
/// (nothing is synced): the kernel keeps it when the process dies, and more is not needed. Where there can be no file there is no
/// guard, and the SDK starts.
final class CrashLoopGuard: Sendable {
  typealias Mode = StartRecord.Mode

  /// What the SDK may do in this launch.
  let mode: Mode
  /// Why it may not do all; nil when it may.
  let reason: String?
  /// The last launch crashed within its first seconds, and there is a report.
  let crashedAtLaunch: Bool
  private let path: String
  private let record: Locked<StartRecord?>
  private let process: Int32
  private let exit = Locked<ProcessExit.Observation?>(nil)

  /// A crash so soon after the SDK's start is one at launch, in milliseconds.
  static let launchMs: UInt32 = 10_000

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
    var (record, verdict) = file.map(Self.read) ?? (StartRecord(), nil)
    let last = record.process
    let decision = record.begin(build: FNV1a(build).value, process: process, verdict: verdict, isAlive: isAlive)
    // What was said about the last process has been heard.
    let isKept = file.map { Self.write(record.encodedWithoutVerdict, to: $0) } ?? false
    mode = decision.mode
    reason = mode == .full ? nil : Self.explanation(decision)
    crashedAtLaunch = verdict.map { $0.process == last && $0.after < Self.launchMs && !isAlive(last) } ?? false
    self.record = Locked(isKept && mode != .off ? record : nil)
    guard isKept, mode != .off else { return }
    am_crash_set_verdict_file(path, Int64(StartRecord.verdictOffset))
    // A program that ends by itself before its start is over has not died in it.
    let observation = ProcessExit.observe { [weak self] in self?.abandon() }
    exit.withLock { $0 = observation }
  }

  /// The start has come to another part. Writes into the page cache; for background threads.
  func enter(_ stage: String) {
    update { record in
      guard record.process == process else { return }
      record.stage = stage
    }
  }

  /// The thread that initializes is about to leave the SDK.
  func returned() { update { $0.returned(process) } }

  /// The start is over, and the process lives.
  func succeeded() {
    update { $0.end(process) }
    release()
  }

  /// The start will not come to its end, and the process has not died in it.
  func abandon() {
    update { $0.abandon(process) }
    release()
  }

  private func release() {
    record.withLock { $0 = nil }
    exit.withLock { $0 = nil }
  }

  private func update(_ change: (inout StartRecord) -> Void) {
    record.withLock { record in
      guard var changed = record else { return }
      change(&changed)
      guard changed != record else { return }
      record = changed
      guard let file = Self.open(path) else { return }
      _ = Self.write(changed.encoded, to: file)
      file.close()
    }
  }

  private static func explanation(_ decision: StartRecord.Decision) -> String {
    let next = decision.more == 0 ? "in the next launch" : "after \(decision.more) more"
    let what = decision.mode == .off ? "is off" : "reports crashes and does nothing else on its own"
    let stage = decision.stage.isEmpty ? "initialize" : decision.stage
    return "the SDK \(what) in this launch, because the process died in the SDK's last \(decision.deaths) starts, "
      + "most recently in: \(stage). It tries again \(next)."
  }

  // MARK: The file

  /// - Parameter owner: the same that the journal is opened with.
  static func fileName(owner: String) -> String { HexDigits.digits(FNV1a(owner).value) + ".start" }

  private static func open(_ path: String) -> FileDescriptor? {
    try? FileDescriptor(path: path, flags: O_RDWR | O_CREAT)
  }

  private static func read(_ file: FileDescriptor) -> (StartRecord, CrashVerdict?) {
    file.read(at: 0, count: StartRecord.size).withUnsafeBytes { bytes in
      guard let record = StartRecord(bytes), bytes.count == StartRecord.size else { return (StartRecord(), nil) }
      return (record, CrashVerdict(UnsafeRawBufferPointer(rebasing: bytes[StartRecord.verdictOffset...])))
    }
  }

  private static func write(_ bytes: [UInt8], to file: FileDescriptor) -> Bool {
    bytes.withUnsafeBytes { bytes in (try? file.write(bytes, at: 0)) != nil }
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
