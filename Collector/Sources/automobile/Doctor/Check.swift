/// One thing that the doctor looked at.
struct Check: Equatable {
  enum Status: String {
    /// `empty`: there is nothing yet that could be well or not.
    case ok, empty, warning, problem
  }

  var name: String
  var status: Status
  /// What was found.
  var message: String
  /// What to do; nil when nothing needs doing.
  var advice: String?

  static func ok(_ name: String, _ message: String) -> Check { Check(name: name, status: .ok, message: message) }

  static func empty(_ name: String, _ message: String) -> Check { Check(name: name, status: .empty, message: message) }

  static func warning(_ name: String, _ message: String, _ advice: String) -> Check {
    Check(name: name, status: .warning, message: message, advice: advice)
  }

  static func problem(_ name: String, _ message: String, _ advice: String) -> Check {
    Check(name: name, status: .problem, message: message, advice: advice)
  }

  var json: JSON {
    ["name": .string(name), "status": .string(status.rawValue), "message": .string(message), "advice": JSON(advice)]
  }
}
