/// What is replaced in an exchange before it is kept or sent anywhere.
///
/// Secrets are told by their names: of headers, of query and form parameters, of JSON members (at any depth, also in
/// JSON within strings), of attributes and `name: value` pairs in other text. What stands under such a name becomes
/// ``mark``. A body that cannot be understood well enough to be sure is left out, and only its size remains.
///
/// Names are compared without case and punctuation. A listed field matches every name that contains it (`token`:
/// `access_token`, `X-CSRF-Token`, `refreshToken`); one of fewer than five letters must be a word of the name (`pin`:
/// `userPin`, but not `shipping`). A listed header matches that name only.
///
///     let redaction = HTTPRedaction(fields: HTTPRedaction.standardFields + ["birthday"])
///     store(redaction.redacted(exchange))
///
/// With no headers listed, headers stay as they are; with no fields either, so does everything else.
///
/// A secret under a name that nobody listed, in a path, or bare in a text cannot be recognized. Any thread.
public struct HTTPRedaction: Sendable, Equatable {
  /// What stands in a secret's place. It may stand in URLs, headers and JSON.
  public static let mark = "REDACTED"

  /// Names of headers.
  public let headers: [String]
  /// Names of parameters, of members and of everything else that has a name.
  public let fields: [String]
  let names: SecretNames

  /// Whoever lists nothing wants everything as it is.
  var isNone: Bool { headers.isEmpty && fields.isEmpty }

  public init(
    headers: [String] = HTTPRedaction.standardHeaders, fields: [String] = HTTPRedaction.standardFields
  ) {
    self.headers = headers
    self.fields = fields
    names = SecretNames(headers: headers, fields: fields)
  }

  /// ``standardHeaders`` and ``standardFields``. Made when it is first used.
  public static let standard = HTTPRedaction()

  /// The credentials of HTTP and of common frameworks.
  public static let standardHeaders = [
    "Authorization", "Proxy-Authorization", "Authentication-Info", "Cookie", "Set-Cookie", "X-Api-Key",
  ]

  /// Names under which credentials are usually found.
  public static let standardFields = [
    "password", "passwd", "passphrase", "passcode", "pwd", "pin", "otp", "secret", "token", "jwt", "auth", "bearer",
    "credential", "apikey", "accesskey", "privatekey", "sessionid", "sessionkey", "sid", "signature", "sig",
    "assertion",
    "samlresponse", "cardnumber", "creditcard", "cvv", "cvc", "iban", "ssn",
  ]

  public static func == (one: HTTPRedaction, other: HTTPRedaction) -> Bool {
    one.headers == other.headers && one.fields == other.fields
  }
}
