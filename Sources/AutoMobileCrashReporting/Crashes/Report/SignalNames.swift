import Foundation

/// What signals and their codes are called in the system's headers.
enum SignalNames {
  static func name(_ number: Int32) -> String {
    switch number {
    case SIGABRT: "SIGABRT"
    case SIGSEGV: "SIGSEGV"
    case SIGBUS: "SIGBUS"
    case SIGFPE: "SIGFPE"
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGSYS: "SIGSYS"
    default: "signal \(number)"
    }
  }

  /// Nil for codes without a name.
  static func codeName(_ number: Int32, _ code: Int32) -> String? {
    if let sender = senders[code] { return sender }
    guard let names = codes[number], code > 0, Int(code) <= names.count else { return nil }
    return names[Int(code) - 1]
  }

  /// Whether the signal came from a process, and not from what the thread did.
  static func isSent(_ code: Int32) -> Bool { senders[code] != nil }

  #if canImport(Darwin)
  private static let senders: [Int32: String] = [0x10001: "SI_USER", 0x10002: "SI_QUEUE"]
  private static let codes: [Int32: [String]] = [
    SIGSEGV: ["SEGV_MAPERR", "SEGV_ACCERR"],
    SIGBUS: ["BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR"],
    SIGFPE: [
      "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND", "FPE_FLTRES", "FPE_FLTINV", "FPE_FLTSUB", "FPE_INTDIV", "FPE_INTOVF",
    ],
    SIGILL: [
      "ILL_ILLOPC", "ILL_ILLTRP", "ILL_PRVOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_PRVREG", "ILL_COPROC", "ILL_BADSTK",
    ],
    SIGTRAP: ["TRAP_BRKPT", "TRAP_TRACE"],
  ]
  #else
  private static let senders: [Int32: String] = [
    0: "SI_USER", -1: "SI_QUEUE", -2: "SI_TIMER", -3: "SI_MESGQ", -4: "SI_ASYNCIO", -5: "SI_SIGIO", -6: "SI_TKILL",
  ]
  private static let codes: [Int32: [String]] = [
    SIGSEGV: [
      "SEGV_MAPERR", "SEGV_ACCERR", "SEGV_BNDERR", "SEGV_PKUERR", "SEGV_ACCADI", "SEGV_ADIDERR", "SEGV_ADIPERR",
      "SEGV_MTEAERR", "SEGV_MTESERR",
    ],
    SIGBUS: ["BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR", "BUS_MCEERR_AR", "BUS_MCEERR_AO"],
    SIGFPE: [
      "FPE_INTDIV", "FPE_INTOVF", "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND", "FPE_FLTRES", "FPE_FLTINV", "FPE_FLTSUB",
    ],
    SIGILL: [
      "ILL_ILLOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_ILLTRP", "ILL_PRVOPC", "ILL_PRVREG", "ILL_COPROC", "ILL_BADSTK",
    ],
    SIGTRAP: ["TRAP_BRKPT", "TRAP_TRACE", "TRAP_BRANCH", "TRAP_HWBKPT"],
    SIGSYS: ["SYS_SECCOMP"],
  ]
  #endif
}
