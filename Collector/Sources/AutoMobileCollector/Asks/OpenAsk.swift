/// An ask that stands, and the devices that may keep something of it.
struct OpenAsk: Sendable {
  var ask: Ask
  /// Installations that this index knows the subject from; nil: it has not been looked for them yet.
  var devices: Set<String>?
  /// The context up to which it has been looked for them; negative: it is to be looked anew.
  var looked: Int64 = -1

  /// Of the others an app says itself whether it is one that is asked for.
  var isLookedFor: Bool { ask.kind == .user || ask.kind == .session }

  /// Whether an app is told of it. Who is not concerned learns neither that there is an ask nor for whom it is.
  func concerns(_ asker: Asker) -> Bool {
    if let device = asker.device, devices?.contains(device) == true { return true }
    switch ask.kind {
    case .session: return asker.session == ask.subject || devices?.isEmpty == true && asker.device == nil
    case .user: return asker.user == ask.subject
    case .device: return asker.device == ask.subject
    case .appVersion: return asker.version == ask.subject
    }
  }

  /// Whether what came in a session is of it.
  ///
  /// - Parameter user: who used the app then.
  func isAbout(_ session: ArrivedSession, user: String?) -> Bool {
    guard session.bundle == ask.bundle else { return false }
    switch ask.kind {
    case .session: return session.name == ask.session
    case .user: return user == ask.subject
    case .device: return session.devices.contains(ask.subject)
    case .appVersion: return session.version == ask.subject
    }
  }
}

/// A session in which events have arrived.
struct ArrivedSession: Sendable {
  var name: String
  var bundle: String?
  /// The one that was named last.
  var user: String?
  var version: String?
  var devices: Set<String>
}
