/// Why a mail was not taken. Never holds a password.
enum SMTPError: Error, Equatable, CustomStringConvertible {
  /// What a server said to a command: 4xx may go well later.
  case refused(command: String, code: Int, text: String)
  case unreadable(String)
  case noTLS
  case noAuthentication
  case closed

  var description: String {
    switch self {
    case .refused(let command, let code, let text): "the mail server answered \(command) with \(code) \(text)"
    case .unreadable(let reason): "the mail server cannot be understood: \(reason)"
    case .noTLS: "the mail server offers no STARTTLS: nothing was sent"
    case .noAuthentication: "the mail server offers neither AUTH PLAIN nor AUTH LOGIN: nothing was sent"
    case .closed: "the mail server closed the connection"
    }
  }

  var isTemporary: Bool {
    switch self {
    case .refused(_, let code, _): code < 500
    case .closed: true
    case .unreadable, .noTLS, .noAuthentication: false
    }
  }
}
