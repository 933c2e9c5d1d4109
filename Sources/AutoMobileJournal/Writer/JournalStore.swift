import CAutoMobile
import Foundation

/// Everything of a journal but its hot path: the files, who owns them, what has been read of them.
///
/// Sendable: `ring` and `own` are safe for all threads where they say so; the rest is used under `lock`. No writer ever
/// takes the lock, so that it may be held while the disk is slow.
final class JournalStore: @unchecked Sendable {
  let options: JournalOptions
  let directory: JournalDirectory
  let identity: FileIdentity
  let ring: SegmentRing
  /// This launch's counts and state, for readers that must not wait for the lock.
  let published: PublishedState

  let lock = NSLock()
  let own: StoredLaunch
  /// Launches that this process reads: its own, and earlier ones that it has taken over.
  ///
  /// Made by whoever asks first, which is never the thread that opens the journal: the type of a dictionary takes its time.
  lazy var launches = [own.id: own]
  /// Whether the directory's other launches are known.
  var isLoaded = false
  /// The segment file read last, so that reading on does not read it again.
  var cached: (launch: LaunchID, index: UInt64, bytes: [UInt8])?
  var loaded = DispatchTime.now()
  /// Own segments that are in memory only.
  var volatile: Set<UInt64> = []
  /// Whether this launch's ledger is a file, so that its segments can be, too.
  var isDurable = true
  /// Nothing is to be on disk for now.
  var isParked = false
  /// What is too old is to be looked for now.
  var isExpiryDue = false
  /// Nothing goes for its age until somebody has said how long things are kept.
  var isExpiryHeld = false
  /// For how many days what nobody wants is kept on purpose; nil: it is not.
  var keepDays: Double?
  /// Why the last segment could not be made.
  var failure: StorageError? {
    didSet { publishStatus() }
  }

  init(_ options: JournalOptions) throws(StorageError) {
    self.options = options
    directory = JournalDirectory(options.directory)
    let launch = LaunchID()
    let size = options.effectiveSegmentSize
    identity = FileIdentity(
      role: .ledger, launch: launch, segmentSize: size, created: options.clock(),
      owner: FileIdentity.hash(owner: options.owner))
    let (ledger, failure) = try Self.openLedger(identity, in: directory, isKept: !options.startsInMemory)
    guard let mapping = ledger.mapping else { throw StorageError("map ledger", code: EFAULT) }
    ring = SegmentRing(
      launch: launch, segmentSize: size, counted: options.counted, isFollowed: options.isFollowed, ledger: mapping)
    own = StoredLaunch(
      id: launch, isOwn: true, created: identity.created, segmentSize: size, ledger: ledger,
      ledgerName: .ledger(launch, claimer: nil), keeping: KeepingFile(of: launch, identity: identity, in: directory))
    published = PublishedState(OwnLedger(file: ledger, account: ledger.account))
    isDurable = failure == nil
    self.failure = failure
    LiveLaunches.here.insert(launch)
    try openFirstSegment()
    publishStatus()
  }

  deinit { LiveLaunches.here.remove(identity.launch) }

  /// Whether a launch that left these files may still be writing them.
  func isAlive(_ identity: FileIdentity) -> Bool {
    LiveLaunches.here.isAlive(identity, singleInstanceOwner: options.singleInstance ? self.identity.owner : nil)
  }
}

/// The ledgers that this launch has written, and its account.
struct OwnLedger {
  /// The one in use.
  var file: LedgerFile
  /// Those before: there are some when the file was lost with its directory, or became possible only later.
  var earlier: [LedgerFile] = []
  var account: Account
  /// What of this launch was sent ahead of the cursor.
  var ahead = AheadCounts()
  var isKeeping = false

  var counts: WriterCounts {
    var counts = countsOfEarlier
    counts.add(file.counts)
    return counts
  }

  var countsOfEarlier: WriterCounts { earlier.reduce(into: WriterCounts()) { $0.add($1.counts) } }

  var summary: LaunchLedger {
    var account = account
    // These are the counts of the earlier files, which are at hand.
    account.carried = WriterCounts()
    return LaunchLedger(
      writers: counts, account: account, ahead: ahead, isResolved: false, isKeeping: isKeeping)
  }
}

/// What of a store any thread reads without waiting for more than a copy.
///
/// Sendable: the values are used under the lock only, which nobody holds for longer than that. Whoever sets one holds the
/// store's lock besides.
final class PublishedState: @unchecked Sendable {
  private let lock = NSLock()
  private var ledgerValue: OwnLedger
  private var statusValue = JournalStatus.durable

  init(_ ledger: OwnLedger) { ledgerValue = ledger }

  var ledger: OwnLedger {
    get { lock.withLock { ledgerValue } }
    set { lock.withLock { ledgerValue = newValue } }
  }
  var status: JournalStatus {
    get { lock.withLock { statusValue } }
    set { lock.withLock { statusValue = newValue } }
  }
}
