import Foundation

/// How a question that a collector holds is asked.
struct ListeningQuestion {
  /// For how long it may be held.
  var seconds: Int
  var takesCommands: Bool
  /// Who asks, where something is kept that a collector may ask for.
  var asker: String?

  static let askerHeader = "X-AutoMobile-Asker"
  /// For how many seconds a collector holds questions, in its answers.
  static let offerHeader = "x-automobile-listen"
  /// Whatever a collector says.
  static let seconds = 10...300
}

// News of the document, heard at once: for builds that take commands, and for apps that keep what they record while they are in the
// foreground. On the channel's queue.
extension ControlChannel {
  /// How to ask at present; nil: not at all.
  var question: ListeningQuestion? {
    let asker = state.asker?()
    if commands.isOpen, state.channel.takesCommands {
      return ListeningQuestion(seconds: options.pollSeconds, takesCommands: true, asker: asker)
    }
    // Without anything that could be asked for, a change of the document has the time until the next delivery.
    guard let asker, state.isInForeground, let seconds = state.listenSeconds, !Self.isSavingPower else { return nil }
    return ListeningQuestion(seconds: seconds, takesCommands: false, asker: asker)
  }

  /// A question that was held has been answered.
  func noteListening(_ answer: HTTPAnswer) {
    noteOffer(answer)
    if let tag = Self.tag(answer[header: Self.header]) { noteTag(tag) }
  }

  /// A collector that has no place for one more question does not say that it holds any.
  func noteOffer(_ answer: HTTPAnswer) {
    guard [200, 204, 304].contains(answer.status) else { return }
    let seconds = answer[header: ListeningQuestion.offerHeader].flatMap { Int($0) }
    state.listenSeconds = seconds.flatMap { ListeningQuestion.seconds.contains($0) ? $0 : nil }
  }

  private static var isSavingPower: Bool {
    #if canImport(Darwin)
    ProcessInfo.processInfo.isLowPowerModeEnabled
    #else
    false
    #endif
  }
}

extension SdkContext {
  /// Whom a collector may ask for here, as a collector is told with a question: `session=…&user=…&device=…&version=…`.
  var asker: String {
    let snapshot = snapshot()
    let parts = [
      ("session", snapshot.sessionId), ("user", snapshot.userId), ("device", anonymousId),
      ("version", snapshot.appVersion),
    ]
    return parts.compactMap { name, value in
      // A longer one cannot be asked for.
      guard let value, (1...500).contains(value.utf8.count),
        let encoded = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
      else { return nil }
      return "\(name)=\(encoded)"
    }.joined(separator: "&")
  }
}
