import Foundation

/// How a ``Collector`` runs.
public struct CollectorOptions: Sendable {
  /// The address to listen on. Anything but loopback needs ``ingestKeys``.
  public var host = "127.0.0.1"
  /// 0: one that the system picks; ``Collector/port`` tells which.
  public var port = 8765
  /// Where everything is kept; created when it does not exist. One collector at a time.
  public var dataDirectory: URL
  /// Senders and readers must present one of these. Empty: nobody is asked, on loopback only.
  public var ingestKeys: [String] = []
  /// Whoever changes configuration or gives commands must present one of these. Empty: on loopback an ingest key will
  /// do, if there is one; elsewhere nobody may, since apps carry their ingest keys with them.
  public var operatorKeys: [String] = []
  /// Further host names under which a browser may address a collector that listens on loopback.
  public var allowedHosts: [String] = []
  /// Search in the contents of all events by words. Costs about half of the indexing speed; can be switched at any start.
  public var fullTextSearch = true
  /// Where recorded requests may be sent again from here; nil: nowhere.
  public var resendTargets: ResendTargets?
  /// `/mcp` offers tools that reach into running debug builds, to whoever presents an operator's key.
  public var agentCommands = false
  /// Where replays, symbols and sources are kept.
  public var blobs = BlobPlace.folder
  /// The key of an S3 store; nil: the one that the environment names.
  public var blobCredentials: S3Credentials?
  /// Where projects, keys and all that people set and decide is kept.
  public var state = StatePlace.folder
  /// The password of a PostgreSQL server; nil: what libpq finds, as `PGPASSWORD` or in a file of passwords.
  public var statePassword: String?
  /// Where what apps recorded is kept.
  public var store = TelemetryPlace.folder
  /// The password of ClickHouse; nil: the one that the environment names, `CLICKHOUSE_PASSWORD` or a file in
  /// `CLICKHOUSE_PASSWORD_FILE`.
  public var storePassword: String?
  /// The proxies whose word is taken for where a request comes from.
  public var trustedProxies = TrustedProxies.none
  /// Where the collector may connect to by itself.
  public var egress = EgressPolicy.standard
  /// How people get to the viewer, for links in alerts: `https://automobile.example.com`; nil: alerts have no links.
  public var publicURL: String?
  /// Called for each alert, with a line for a terminal; what apps recorded stands in it.
  public var onAlert: (@Sendable (String) -> Void)?
  /// Files with certificates (PEM) that are trusted beside the system's when the collector connects to somebody.
  public var egressAuthorities: [String] = []
  /// Files with the collector's own certificate and those of the authorities before it, and with its private key, in PEM: then it
  /// speaks HTTPS. Read again when they change.
  public var tlsCertificate: (chain: String, key: String)?
  public var limits = CollectorLimits()
  /// How long who did what is kept, in days, and how many entries.
  public var auditDays = 365
  public var auditEntries: Int64 = 1_000_000
  /// With whom people sign in; nil: with links only.
  public var identityProvider: IdentityProviderOptions?
  /// How long people stay signed in.
  public var sessions = SessionLimits()
  /// How much each key may deliver and ask; nil: ``DeliveryRates/standard`` where other machines get here, else
  /// nothing is limited.
  public var rates: DeliveryRates?
  /// The programs that turn addresses into lines. Without them reports show the names that came with them.
  public var symbolTools = SymbolTools.found()

  /// A host's addresses, for what the collector connects to by itself; a test has its own.
  var findAddresses: @Sendable (String) -> [EgressAddress] = EgressAddress.find
  /// A pack that is not full goes to a store of blobs that is elsewhere after so many seconds; nil: as ``CollectorBlobs`` has it.
  var packSeconds: Double?
  /// A pack takes nothing more when it is this large, in bytes.
  var packBytes = PackSpool.usualSize
  /// How batches for ClickHouse are made; a test does not wait for them.
  var batches = BatchLimits()
  /// The ingest log's files are this large, in bytes; a test has smaller ones.
  var logSegmentBytes = 64 << 20

  public init(dataDirectory: URL) { self.dataDirectory = dataDirectory }

  /// Whether whoever wants to read or deliver must present a key, or be signed in.
  public var asksForKeys: Bool { !ingestKeys.isEmpty || isReachable }

  /// Whether other machines can get here: by themselves, or through a proxy on this one. Whoever lets people sign in expects them.
  public var isReachable: Bool { !isLoopback || !trustedProxies.isEmpty || identityProvider != nil }

  /// Whether ``host`` can be reached from this machine only.
  public var isLoopback: Bool {
    host == "localhost" || host == "::1" || host == "127.0.0.1"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4
  }
}

/// Why a collector cannot start.
public enum CollectorError: Error, Equatable, CustomStringConvertible {
  case keyRequired(host: String)
  case emptyKey
  case directoryInUse(path: String)
  case directoryUnusable(path: String, reason: String)
  case unreadableCertificates(path: String, reason: String)
  case unusableCertificate(path: String, reason: String)
  case blobsUnusable(reason: String)
  case blobsElsewhere(known: String, given: String)
  /// The blobs of the state are in another collector's data directory.
  case folderElsewhere
  case stateUnusable(reason: String)
  case stateElsewhere(known: String, given: String)
  case telemetryUnusable(reason: String)
  case telemetryElsewhere(known: String, given: String)
  case publicURLRequired

  public var description: String {
    switch self {
    case .keyRequired(let host):
      "listening on \(host) lets other machines in: set an ingest key, or listen on 127.0.0.1"
    case .emptyKey: "an ingest key must have at least 8 characters"
    case .directoryInUse(let path): "another collector is using \(path): stop it, or choose another data directory"
    case .directoryUnusable(let path, let reason): "the data directory \(path) cannot be used: \(reason)"
    case .unusableCertificate(let path, let reason): "the certificate \(path) cannot be used: \(reason)"
    case .blobsUnusable(let reason): "blobs cannot be kept: \(reason)"
    case .blobsElsewhere(let known, let given):
      "this data's replays and symbols are in \(known), not in \(given): move them, or start it with the place where they are"
    case .folderElsewhere:
      """
      symbols and sources of this state are in the data directory of another collector, where this one cannot read them: collectors \
      that share a state keep blobs in an S3 store. Move that one's with “automobile store move --state … --blobs folder s3://…”, \
      and start both with --blobs s3://…; when its data directory is lost, “DELETE FROM blob_place” in the database lets this one take \
      its place
      """
    case .stateUnusable(let reason): "projects and settings cannot be kept: \(reason)"
    case .stateElsewhere(let known, let given):
      "what was set and decided about this data is in \(known), not in \(given): start it with the place where it is, or with an empty data directory"
    case .telemetryUnusable(let reason): "telemetry cannot be kept in ClickHouse: \(reason)"
    case .telemetryElsewhere(let known, let given):
      "this data's sessions are in \(known), not in \(given): start it with the place where they are, or with an empty data directory"
    case .publicURLRequired:
      "an identity provider sends people back to one address: say with --public-url how they get here"
    case .unreadableCertificates(let path, let reason): "no certificates can be read from \(path): \(reason)"
    }
  }
}
