import Foundation

extension AlertChannel {
  /// From a request's body.
  ///
  /// - Parameter before: the channel that is changed; what is secret and not given stays.
  /// - Returns: it, and the secret that was made for a webhook, which is shown this once.
  /// - Throws: ``APIError`` that says which member is no good.
  static func read(_ body: JSONTree, before: AlertChannel?) throws -> (channel: AlertChannel, madeSecret: String?) {
    let fields = try JSONFields(
      body, named: "channel",
      allowed: [
        "name", "kind", "url", "secret", "routingKey", "host", "port", "security", "user", "password", "from", "to",
        "allowsPlainPassword",
      ])
    try fields.noOthers()
    let word = try fields.text("kind", longest: 40) ?? before?.kind.rawValue
    guard let kind = word.flatMap(Kind.init(rawValue:)), before == nil || before?.kind == kind else {
      throw fields.invalid(
        "kind",
        before.map { "stays \($0.kind.rawValue): add another channel" }
          ?? "must be one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard let name = try fields.text("name", longest: 200) ?? before?.name, name.count <= AlertRule.longestName else {
      throw fields.invalid("name", "must have 1 to \(AlertRule.longestName) characters")
    }
    var channel = AlertChannel(name: name, kind: kind, settings: before?.settings ?? Settings())
    var made: String?
    switch kind {
    case .webhook, .slack, .discord, .teams:
      channel.settings.url = try fields.required(url(fields) ?? before?.settings.url, "url")
      if let secret = try fields.text("secret", longest: 200) {
        guard WebhookSignature.key(of: secret) != nil else {
          throw fields.invalid("secret", "must be whsec_ and base64 of 24 to 64 bytes; without one, one is made")
        }
        channel.settings.secret = secret
      } else if channel.settings.secret == nil, kind == .webhook {
        made = WebhookSignature.makeSecret()
        channel.settings.secret = made
      }
    case .pagerduty:
      // Of the service region of the EU, or a proxy of one's own.
      channel.settings.url = try url(fields) ?? before?.settings.url ?? pagerDuty
      // A key that is known is not sent to another place than the one that it was given for.
      let known = before?.settings.url == channel.settings.url ? before?.settings.routingKey : nil
      let key = try fields.required(fields.text("routingKey", longest: 100) ?? known, "routingKey")
      guard key.utf8.count == 32,
        key.utf8.allSatisfy({ Character(UnicodeScalar($0)).isLetter || (0x30...0x39).contains($0) }),
        key.utf8.count == key.count
      else {
        throw fields.invalid("routingKey", "must be the integration key of a service: 32 letters and digits")
      }
      channel.settings.routingKey = key
    case .mail:
      channel.settings.mail = try mail(fields, before?.settings.mail)
    }
    return (channel, made)
  }

  private static func url(_ fields: JSONFields) throws -> String? {
    guard let text = try fields.text("url", longest: EgressTarget.longest) else { return nil }
    do {
      return try EgressTarget(text).url
    } catch {
      throw fields.invalid("url", "is no good: \(error)")
    }
  }

  private static func mail(_ fields: JSONFields, _ before: Mail?) throws -> Mail {
    let words = Mail.Security.allCases.map(\.rawValue).joined(separator: ", ")
    let security =
      try fields.text("security", longest: 20).map { word in
        guard let security = Mail.Security(rawValue: word) else {
          throw fields.invalid("security", "must be one of \(words)")
        }
        return security
      } ?? before?.security ?? .starttls
    let host = try fields.required(fields.text("host", longest: 255) ?? before?.host, "host")
    do {
      _ = try EgressHost.normalized(host)
    } catch {
      throw fields.invalid("host", "is no good: \(error)")
    }
    let port =
      try fields.integer("port", in: 1...65535) ?? before?.port
      ?? (security == .tls ? 465 : security == .starttls ? 587 : 25)
    let from = try fields.required(fields.text("from", longest: 254) ?? before?.from, "from")
    let to = try fields.required(fields.texts("to", most: 20, longest: 254) ?? before?.to, "to")
    guard MailAddress.isOne(from) else { throw fields.invalid("from", "must be one address: alerts@example.com") }
    guard !to.isEmpty, to.allSatisfy(MailAddress.isOne) else {
      throw fields.invalid("to", "must be addresses: [\"lea@example.com\"]")
    }
    let user = try fields.text("user", longest: 200) ?? before?.user
    let isSamePlace = before.map { $0.host == host && $0.user == user } ?? true
    // A password that is known is not sent to another server than the one that it was given for.
    let password = try fields.text("password", longest: 200) ?? (isSamePlace ? before?.password : nil)
    guard user == nil || password != nil else {
      throw fields.invalid("password", "is missing: it must be given again when the server or the user changes")
    }
    let allowsPlain = try fields.flag("allowsPlainPassword") ?? before?.allowsPlainPassword ?? false
    guard password == nil || security != .none || allowsPlain else {
      throw fields.invalid("security", "must be starttls or tls for a password, unless allowsPlainPassword is true")
    }
    return Mail(
      host: host, port: port, security: security, user: user, password: user == nil ? nil : password,
      allowsPlainPassword: allowsPlain, from: from, to: to)
  }

  /// Without what is secret.
  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("name", name)
      $0.member("kind", kind.rawValue)
      if let url = settings.url { $0.member("url", Self.redacted(url: url)) }
      if let secret = settings.secret { $0.member("secret", "whsec_" + Self.redacted(secret)) }
      if let key = settings.routingKey { $0.member("routingKey", Self.redacted(key)) }
      if let mail = settings.mail {
        $0.member("host", mail.host)
        $0.member("port", Int64(mail.port))
        $0.member("security", mail.security.rawValue)
        $0.member("user", mail.user)
        $0.member("hasPassword", mail.password != nil)
        $0.member("allowsPlainPassword", mail.allowsPlainPassword)
        $0.member("from", mail.from)
        $0.array("to") { for address in mail.to { $0.string(address) } }
      }
      $0.member("changedAt", changedAt)
      $0.member("changedBy", changedBy)
    }
  }
}
