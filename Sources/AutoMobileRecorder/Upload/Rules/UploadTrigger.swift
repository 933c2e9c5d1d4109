/// What has to happen for a rule to apply. Events are looked at after they have been recorded, by the bytes that stand in the journal.
public enum UploadTrigger: Sendable, Equatable {
  /// The app crashed, in this launch or in an earlier one.
  case crash
  /// The main thread did not answer for so long, in milliseconds.
  case hang(atLeastMs: Double)
  /// An earlier launch was ended while it hung, for its memory, or nobody knows why.
  case unexpectedEnd
  /// The app reported an error that it caught.
  case handledFailure
  case request(UploadRequest)
  /// Quick taps on one spot.
  case rageTap
  /// A tap after which nothing moved.
  case deadTap
  /// From the beginning of the process to its first frame it took so long, in milliseconds.
  case slowLaunch(atLeastMs: Double)
  /// So many frames in a second, or on a screen, took longer than 700 ms each.
  case frozenFrames(atLeast: Int)
  /// A log entry that matters at least so much; nil: with any tag.
  case log(atLeast: LogLevel, tag: String? = nil)
  case event(UploadEvent)
  /// The app called ``AutoMobileSDK/capture(reason:)``.
  case capture
  /// A share of sessions, as a whole: 0 … 1. Which ones follows from their ids alone.
  case sessions(fraction: Double)
}

/// Requests to which a rule applies: those for which everything that is not nil holds.
public struct UploadRequest: Sendable, Equatable {
  /// The host's name, whatever its case; `*.example.com` is every name that ends with `.example.com`.
  public var host: String?
  /// How the path begins.
  public var pathPrefix: String?
  /// Whatever its case.
  public var method: String?
  /// Such as `500...599`.
  public var status: ClosedRange<Int>?
  /// How long it took at least, in milliseconds.
  public var atLeastMs: Double?
  /// True: there was no answer, or one with a status from 400 on. False: there was one with a status below.
  public var failed: Bool?

  public init(
    host: String? = nil, pathPrefix: String? = nil, method: String? = nil, status: ClosedRange<Int>? = nil,
    atLeastMs: Double? = nil, failed: Bool? = nil
  ) {
    self.host = host
    self.pathPrefix = pathPrefix
    self.method = method
    self.status = status
    self.atLeastMs = atLeastMs
    self.failed = failed
  }
}

/// Events to which a rule applies: those for which everything that is not nil holds, and every condition.
public struct UploadEvent: Sendable, Equatable {
  /// The most conditions that count.
  public static let maximumConditions = 4

  public var type: SdkEventType?
  /// Of a custom event: its `name`.
  public var name: String?
  public var conditions: [UploadCondition]

  public init(type: SdkEventType? = nil, name: String? = nil, where conditions: [UploadCondition] = []) {
    self.type = type
    self.name = name
    self.conditions = conditions
  }
}

/// What a member of an event's JSON has to be.
public struct UploadCondition: Sendable, Equatable {
  public enum Test: Sendable, Equatable {
    /// The same text, number or truth. A text is no number here.
    case equals(MetadataValue)
    /// A text with this in it, in the same case.
    case contains(String)
    /// A number, or a text that is nothing but one.
    case atLeast(Double)
    case atMost(Double)
  }

  /// The member, and those inside of it after dots: `properties.plan`. A member whose own name has dots is found as well.
  public var field: String
  public var test: Test

  public init(_ field: String, _ test: Test) {
    self.field = field
    self.test = test
  }
}
