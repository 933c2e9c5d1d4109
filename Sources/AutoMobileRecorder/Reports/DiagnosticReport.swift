import AutoMobileSupport

/// What is known of a crash, a hang or a failure: threads with their stacks, the images that those run through, and why.
///
/// It travels in the event's member `report`. Names of functions are as linkers have them; the collector adds lines.
public struct DiagnosticReport: Codable, Sendable, Equatable {
  /// What the report is about.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The process died of a signal.
    case signal
    /// The process died of an exception that nobody caught.
    case exception
    /// The main thread did not answer.
    case hang
    /// An error that the app caught.
    case failure
    /// The system has told of it.
    case metrickit
  }

  /// The version of this form.
  public private(set) var format = 1
  /// Names the incident for ever: of a crash, the launch that it ended.
  public var reportId: String
  public var kind: Kind
  /// `x86_64` or `arm64`.
  public var architecture: String?
  /// The system's name, for example `iOS`.
  public var os: String?
  public var process: ProcessInformation?
  public var signal: SignalInformation?
  public var exception: ExceptionInformation?
  /// Of a hang, in milliseconds.
  public var durationMs: Double? { didSet { durationMs = durationMs.finite } }
  /// The hang took so long that the system might have ended the app.
  public var anr: Bool?
  /// The one that crashed comes first.
  public var threads: [Thread] = []
  /// Of a hang: the main thread's stacks, equal ones counted and not repeated.
  public var samples: [Sample]?
  /// Those that frames name.
  public var images: [Image] = []
  /// The last breadcrumbs before a crash, oldest first.
  public var breadcrumbs: [Breadcrumb]?
  /// What is worth knowing about the report itself.
  public var notes: [String] = []

  public init(reportId: String, kind: Kind) {
    self.reportId = reportId
    self.kind = kind
  }

  /// The thread that crashed; of others the first.
  public var principalThread: Thread? { threads.first(where: \.crashed) ?? threads.first }
}

extension DiagnosticReport {
  public struct ProcessInformation: Codable, Sendable, Equatable {
    public var name: String
    public var pid: Int64

    public init(name: String, pid: Int64) {
      self.name = name
      self.pid = pid
    }
  }

  public struct SignalInformation: Codable, Sendable, Equatable {
    public var number: Int
    /// For example `SIGSEGV`.
    public var name: String
    public var code: Int
    /// For example `SEGV_MAPERR`; nil for codes that have no name.
    public var codeName: String?
    /// Where the fault was; nil for signals that have no such place.
    public var address: CodeAddress?

    public init(number: Int, name: String, code: Int, codeName: String? = nil, address: CodeAddress? = nil) {
      self.number = number
      self.name = name
      self.code = code
      self.codeName = codeName
      self.address = address
    }
  }

  public struct ExceptionInformation: Codable, Sendable, Equatable {
    public var type: String
    public var reason: String?

    public init(type: String, reason: String? = nil) {
      self.type = type
      self.reason = reason
    }
  }

  public struct Thread: Codable, Sendable, Equatable {
    public var id: UInt64
    public var name: String?
    public var crashed: Bool
    public var main: Bool
    /// By name.
    public var registers: [String: CodeAddress]?
    /// The innermost first.
    public var frames: [Frame]
    /// There were more frames.
    public var truncated: Bool

    public init(
      id: UInt64, name: String? = nil, crashed: Bool = false, main: Bool = false,
      registers: [String: CodeAddress]? = nil, frames: [Frame] = [], truncated: Bool = false
    ) {
      self.id = id
      self.name = name
      self.crashed = crashed
      self.main = main
      self.registers = registers
      self.frames = frames
      self.truncated = truncated
    }
  }

  public struct Frame: Codable, Sendable, Equatable {
    public var address: CodeAddress
    /// Into ``DiagnosticReport/images``.
    public var image: Int?
    /// How far the address is from where the image's first byte is loaded.
    public var offset: CodeAddress?
    /// The function's name as the linker has it, mangled.
    public var symbol: String?
    /// How far the address is from the function's beginning, in bytes.
    public var symbolOffset: UInt64?
    /// How the frame was found: `context`, `cfi`, `fp` or `scan`. The address of one that is not of `context` is a return
    /// address: the call is the instruction before.
    public var trust: String?

    public init(
      address: CodeAddress, image: Int? = nil, offset: CodeAddress? = nil, symbol: String? = nil,
      symbolOffset: UInt64? = nil, trust: String? = nil
    ) {
      self.address = address
      self.image = image
      self.offset = offset
      self.symbol = symbol
      self.symbolOffset = symbolOffset
      self.trust = trust
    }
  }

  public struct Sample: Codable, Sendable, Equatable {
    /// How long the hang had lasted when the stack was seen for the first time, in milliseconds.
    public var atMs: Double { didSet { atMs = atMs.isFinite ? atMs : 0 } }
    /// How often it was seen.
    public var count: Int
    public var frames: [Frame]

    public init(atMs: Double, count: Int = 1, frames: [Frame]) {
      self.atMs = atMs.isFinite ? atMs : 0
      self.count = count
      self.frames = frames
    }
  }

  public struct Image: Codable, Sendable, Equatable {
    public var name: String
    public var path: String?
    /// The build id, or the UUID on Apple platforms, in hexadecimal digits.
    public var uuid: String?
    /// Where the first byte is loaded.
    public var base: CodeAddress
    /// In bytes.
    public var size: UInt64
    public var architecture: String?

    public init(
      name: String, path: String? = nil, uuid: String? = nil, base: CodeAddress, size: UInt64,
      architecture: String? = nil
    ) {
      self.name = name
      self.path = path
      self.uuid = uuid
      self.base = base
      self.size = size
      self.architecture = architecture
    }
  }
}

extension Double? {
  /// JSON has none but finite numbers.
  fileprivate var finite: Double? { flatMap { $0.isFinite ? $0 : nil } }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension DiagnosticReport {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    format = members.value("format")
    reportId = members.value("reportId")
    kind = members.value("kind", or: .signal)
    architecture = members.value("architecture")
    os = members.value("os")
    process = members.value("process")
    signal = members.value("signal")
    exception = members.value("exception")
    durationMs = members.value("durationMs")
    anr = members.value("anr")
    threads = members.value("threads", or: [])
    samples = members.value("samples")
    images = members.value("images", or: [])
    breadcrumbs = members.value("breadcrumbs")
    notes = members.value("notes", or: [])
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("format", format)
    members.add("reportId", reportId)
    members.add("kind", kind)
    members.add("architecture", architecture)
    members.add("os", os)
    members.add("process", process)
    members.add("signal", signal)
    members.add("exception", exception)
    members.add("durationMs", durationMs)
    members.add("anr", anr)
    members.add("threads", threads)
    members.add("samples", samples)
    members.add("images", images)
    members.add("breadcrumbs", breadcrumbs)
    members.add("notes", notes)
    try members.end()
  }
}
