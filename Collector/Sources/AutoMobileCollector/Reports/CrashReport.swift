/// What an app's report says of a crash, a hang or a failure: threads, images, and why.
///
/// Everything in it comes from a stranger. Reading bounds it (``ReportLimits``), and no path in it is ever opened.
package struct CrashReport: Sendable, Equatable {
  package var id: String?
  /// `signal`, `exception`, `hang`, `failure` or `metrickit`.
  package var kind = "signal"
  package var architecture: String?
  package var system: String?
  package var processName: String?
  package var processId: Int64?
  package var signal: Signal?
  package var exception: Exception?
  /// How long a hang took.
  package var durationMs: Double?
  package var isANR = false
  package var threads: [Thread] = []
  package var samples: [Sample] = []
  package var images: [Image] = []
  package var breadcrumbs: [Breadcrumb] = []
  package var notes: [String] = []

  package init() {}

  package struct Signal: Sendable, Equatable {
    package var number: Int64?
    package var name: String?
    package var code: Int64?
    package var codeName: String?
    package var address: UInt64?
  }

  package struct Exception: Sendable, Equatable {
    package var type: String?
    package var reason: String?
  }

  package struct Thread: Sendable, Equatable {
    package var id: Int64?
    package var name: String?
    package var isCrashed = false
    package var isMain = false
    package var isTruncated = false
    package var registers: [Register] = []
    package var frames: [Frame] = []
  }

  package struct Register: Sendable, Equatable {
    package var name: String
    package var value: UInt64
  }

  /// Equal stacks that were seen `count` times while the main thread hung, the first of them at `atMs`.
  package struct Sample: Sendable, Equatable {
    package var atMs: Double?
    package var count: Int64 = 1
    package var frames: [Frame] = []
  }

  package struct Image: Sendable, Equatable {
    package var name: String
    package var path: String?
    /// The build id or UUID; nil when the report has none that could be one.
    package var id: SymbolID?
    package var base: UInt64?
    package var size: UInt64?
    package var architecture: String?
  }

  /// One of the app's last steps, the oldest first.
  package struct Breadcrumb: Sendable, Equatable {
    /// In milliseconds since 1970.
    package var timestamp: Int64?
    package var category: String?
    package var message: String
  }

  package struct Frame: Sendable, Equatable {
    package var address: UInt64?
    /// Into ``CrashReport/images``.
    package var image: Int?
    /// From where the image's first byte is loaded.
    package var offset: UInt64?
    /// As the image's symbol table has it, mangled.
    package var symbol: String?
    package var symbolOffset: UInt64?
    /// `context`, `cfi`, `fp` or `scan`: how the frame was found.
    package var trust: String?

    // What symbolication adds.

    /// As people read it.
    package var function: String?
    package var file: String?
    package var line: Int?
    package var column: Int?
    /// The function was inlined into the one of the next frame, which has the same address.
    package var isInlined = false
    /// It stands in the app's own code.
    package var isInApp = false
    /// It stands in the app's image, and nobody wrote it: a compiler's thunk, what calls `main`.
    package var isGlue = false
    /// Lines come from debug information that the collector has.
    package var isSymbolicated = false
    /// Opens the source.
    package var link: String?
    package var source: SourceExcerpt?
  }

  /// The thread that one looks at first: the one that crashed, else the main one, else the first.
  package var principal: Int? {
    threads.firstIndex { $0.isCrashed } ?? threads.firstIndex { $0.isMain } ?? threads.indices.first
  }

  /// The stack that says what it was about: for a hang the one that was seen most often.
  package var principalFrames: [Frame] {
    if let most = samples.max(by: { $0.count < $1.count }), !most.frames.isEmpty { return most.frames }
    return principal.map { threads[$0].frames } ?? []
  }
}

/// The most that is taken out of one report. What is beyond is left out, and a note says so.
enum ReportLimits {
  static let threads = 512
  static let framesOfThread = 1024
  static let frames = 20_000
  static let samples = 512
  static let images = 4096
  static let registers = 96
  static let breadcrumbs = 500
  static let notes = 64
  /// Longer strings are cut, in bytes.
  static let text = 4096
}
