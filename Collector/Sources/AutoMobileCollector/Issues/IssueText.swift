/// How an issue is called.
enum IssueText {
  /// What the report says besides its cause, on one line.
  static func message(of event: EventReport) -> String? {
    let report = event.report
    var parts = [event.customMessage, report.exception?.reason ?? event.errorMessage].compactMap { $0 }
    if parts.isEmpty, let signal = report.signal {
      let address = signal.address.map { "at 0x" + String($0, radix: 16) }
      parts = [[signal.codeName, address].compactMap { $0 }.joined(separator: " ")]
    }
    let text = parts.filter { !$0.isEmpty }.joined(separator: ": ")
    let line = text.prefix(500).map { $0.isNewline ? " " : String($0) }.joined()
    return line.isEmpty ? nil : line
  }

  /// What the developer wrote; else `SIGSEGV in Cart.total(of:)`.
  static func title(template: String?, cause: String, culprit: String?) -> String {
    template ?? place(cause: cause, culprit: culprit)
  }

  /// Type and function.
  static func place(cause: String, culprit: String?) -> String { culprit.map { "\(cause) in \($0)" } ?? cause }
}

extension EventReport {
  /// What a developer wrote about it; nil when there are but the words of the system.
  var said: String? {
    switch kind {
    case .hang: return nil
    case .failure: return customMessage ?? errorMessage
    case .crash:
      if let reason = report.exception?.reason, !reason.isEmpty { return reason }
      guard let message = errorMessage, !message.hasPrefix("sent by process "), !isSignalCode(message) else {
        return nil
      }
      // The SDK tells of a signal in this way where there are no words.
      let code = report.signal?.codeName
      return report.signal != nil && (message == code || message.firstRange(of: " at 0x") != nil) ? nil : message
    }
  }

  /// A crash that came without a report has its signal in `errorDomain`, and in the message at most a code: `SEGV_MAPERR`.
  private func isSignalCode(_ message: String) -> Bool {
    guard report.signal == nil, let errorDomain, errorDomain.hasPrefix("SIG") else { return false }
    return message.hasPrefix(errorDomain.dropFirst(3) + "_") && !message.contains(" ")
  }
}
