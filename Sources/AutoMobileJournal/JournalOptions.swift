import CAutoMobile
import Foundation

/// Where a journal lies, and how much it may take.
public struct JournalOptions: Sendable {
  /// The directory. It is created when missing; several processes may share one.
  public var directory: URL
  /// Who records: a bundle id or the name of a program.
  public var owner: String
  /// Only one instance of the owner can run, so its earlier launches are over. True for an app on iOS.
  public var singleInstance = false
  /// The size of a segment file in bytes, a multiple of the page size, at most 1 MiB.
  public var segmentSize = 1 << 20
  /// The most that segments may take on disk, in bytes; where records are kept on purpose three segments more, until it is
  /// known what of earlier launches is to be sent.
  public var budget = 32 << 20
  /// The journal takes no more when less than this would be free on the disk, in bytes.
  public var freeDiskFloor = 64 << 20
  /// The most that segments may take in memory, in bytes, while the directory cannot be used.
  public var memoryBudget = 4 << 20
  /// Nothing is written before ``Journal/startKeeping()``: until then there is memory only, and no trace of this launch.
  package var startsInMemory = false
  /// What is older is removed, in seconds.
  public var maximumAge: TimeInterval = 7 * 86_400
  /// What another owner left is taken over after this time, in seconds.
  public var adoptionAge: TimeInterval = 86_400
  /// Other processes read on while this one records, and cannot have it give back what its threads have reserved ahead. So
  /// none reserves ahead, which costs threads that record at the same time some of their speed.
  public var isFollowed = false
  /// The kinds that the ledger counts.
  public var counted = RecordKinds(.event).union(.eventAndBreadcrumb)
  /// The last records of some kinds that stay readable after they have been acknowledged, each set with a count of its
  /// own.
  public var retained: [RetainedRecords] = []
  /// The wall clock, in milliseconds since 1970.
  var clock: @Sendable () -> Int64 = { am_wall_now() }

  public init(directory: URL, owner: String) {
    self.directory = directory
    self.owner = owner
  }

  /// ``segmentSize`` as it is used: whole pages, within 1 MiB.
  var effectiveSegmentSize: Int {
    let page = max(4096, Int(getpagesize()))
    return min(max(segmentSize, page), 1 << 20) / page * page
  }
}

/// Records that stay readable after they have been acknowledged.
public struct RetainedRecords: Sendable, Equatable {
  public var kinds: RecordKinds
  /// How many, the last ones, of all these kinds together.
  public var count: Int

  public init(_ kinds: RecordKinds, count: Int) {
    self.kinds = kinds
    self.count = max(1, count)
  }
}
