import CAutoMobile

/// Signals that end an app, and that a report can be made of.
public struct CrashSignals: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `SIGABRT`: `abort()`, also after an exception that nobody caught, and when the allocator finds its heap damaged.
  public static let abort = CrashSignals(rawValue: UInt32(AM_CRASH_ABRT))
  /// `SIGSEGV`: memory that is not there.
  public static let segmentationFault = CrashSignals(rawValue: UInt32(AM_CRASH_SEGV))
  /// `SIGBUS`: memory whose file is not there. A fault in a file of the SDK's own is mended, and not reported.
  public static let busError = CrashSignals(rawValue: UInt32(AM_CRASH_BUS))
  /// `SIGFPE`: a division of integers by zero, where the processor minds.
  public static let arithmeticError = CrashSignals(rawValue: UInt32(AM_CRASH_FPE))
  /// `SIGILL`: no instruction. On x86-64 also what Swift checks: a failed precondition, nil unwrapped, an index out of range.
  public static let illegalInstruction = CrashSignals(rawValue: UInt32(AM_CRASH_ILL))
  /// `SIGTRAP`. A debugger's, and so not among the standard ones. On arm64 it is also what Swift's checks raise: an app that
  /// wants those reported there, and is not run under a debugger, adds it.
  public static let trap = CrashSignals(rawValue: UInt32(AM_CRASH_TRAP))

  /// Those that AutoMobile handles by default: all but ``trap``.
  public static let standard: CrashSignals = [
    .abort, .segmentationFault, .busError, .arithmeticError, .illegalInstruction,
  ]
}
