import AutoMobileJournal
import Foundation

/// The files beside the journal's that the SDK leaves in its directory: everything that an erasure has to take away.
///
/// What it does not know by name stays: the directory may be the app's own, with other things in it.
struct RecordedFiles: Sendable {
  let directory: URL
  let owner: String
  /// Also what other programs left.
  let everybodys: Bool
  /// Where an earlier version of the app, with AutoMobile's own SDK, left what it had not delivered.
  private let predecessor: @Sendable () -> URL?
  private let kinds: [LeftFile]

  init(_ place: RecordingPlace, _ environment: SdkEnvironment, everybodys: Bool) {
    predecessor = environment.predecessorDirectory ?? { nil }
    kinds = environment.files
    directory = place.directory
    owner = place.owner
    self.everybodys = everybodys
  }

  /// Takes them away. Reads and writes the disk.
  ///
  /// - Parameter isForGood: nothing is kept from now on, so that what a launch needs while it goes on can go as well.
  func erase(isForGood: Bool) {
    let files = FileManager.default
    // Whose files they are is known by the journal's: so these go first.
    let journals = JournalReader(directory: directory)
    let theirs = everybodys ? [] : Set(journals.launches()).subtracting(journals.launches(of: owner))
    let erasure = LeftFile.Erasure(theirs: theirs, isForGood: isForGood)
    for name in (try? files.contentsOfDirectory(atPath: directory.path)) ?? [] {
      let file = directory.appendingPathComponent(name)
      let fate = kinds.lazy.compactMap { $0.fate(file, erasure) }.first
      if fate == .remove || fate == nil && isOurs(name, isForGood: isForGood) { try? files.removeItem(at: file) }
    }
    eraseReplays()
    predecessor().map { PredecessorEvents.erase($0) }
  }

  private func isOurs(_ name: String, isForGood: Bool) -> Bool {
    switch name {
    case SetAsideFile.name, PredecessorEvents.planName: true
    case CrashLoopGuard.fileName(owner: owner), DayLedger.fileName(owner: owner): true
    case ReplayStretches.fileName(owner: owner): true
    case _ where ["upload-", "stretches-"].contains { name.hasPrefix($0) } && name.hasSuffix(".json"): everybodys
    // What a collector has said is nothing of the user's: whoever goes on obeys it, its kill switch above all.
    case _ where name.hasPrefix("control-"):
      isForGood && [".json", ".off", ReceiverMemory.ending].contains { name.hasSuffix($0) }
        && (everybodys || name.dropFirst("control-".count).hasPrefix(ControlCache.safe(owner) + "."))
    case _ where name.hasSuffix(".start"): everybodys && name.count == "0123456789abcdef.start".count
    case EventDirectory.unfinished(PredecessorEvents.planName): true
    // What was being taken over.
    case _ where name.hasSuffix(".part"): LaunchID(name.dropLast(".part".count)) != nil
    case _ where name.hasSuffix(".tmp"): EventFile(name: name.dropLast(".tmp".count)) != nil
    default: EventFile(name: name) != nil
    }
  }

  /// Each replay is a directory with a journal of its own.
  func eraseReplays() {
    let files = FileManager.default
    let root = directory.appendingPathComponent("replay", isDirectory: true)
    for name in (try? files.contentsOfDirectory(atPath: root.path)) ?? [] {
      let replay = root.appendingPathComponent(name, isDirectory: true)
      guard name.hasPrefix("replay_"),
        everybodys || Journal.isLeft(by: owner, in: replay.appendingPathComponent("journal", isDirectory: true))
      else { continue }
      try? files.removeItem(at: replay)
    }
    // Only when nothing is left in it.
    rmdir(root.path)
  }
}
