import AutoMobileState
import CPostgres

/// Why something did not go, and whether to try it once more.
struct PostgresFailure: Error {
  enum Course {
    /// The same would fail again.
    case final
    /// Others wrote the same meanwhile: all of the transaction once more.
    case again
    /// There is such a row. Others may have put it in after this transaction began to look, so that it is not decided yet.
    case alone
    /// The connection is of no use any more: once more on another one.
    case lost
  }

  var course: Course
  var error: StateError
  /// https://www.postgresql.org/docs/current/errcodes-appendix.html
  var code = ""

  /// The connection is gone, or there is none.
  static func lost(_ address: PostgresAddress, _ reason: String, _ course: Course = .lost) -> PostgresFailure {
    PostgresFailure(
      course: course,
      error: StateError(
        .unavailable,
        "PostgreSQL at \(address.place) does not answer: \(address.cleaned(reason)). Look whether it runs, and lets this collector in"
      ))
  }

  /// The server is only read. Another attempt may find another one, or this one when it has taken the other one's place.
  static func onlyRead(_ address: PostgresAddress, _ reason: String = "it may be a standby") -> PostgresFailure {
    PostgresFailure(
      course: .lost,
      error: StateError(
        .unavailable,
        """
        PostgreSQL at \(address.place) cannot be written, only read: \(address.cleaned(reason)). Let the address lead to the one that \
        is written, with no other target_session_attrs than read-write in it
        """))
  }

  /// Whether the server refuses it since it is only read, or since a standby cannot do it.
  var isOfOnlyReading: Bool { ["25006", "0A000", "25001"].contains(code) }
}

extension PostgresFailure {
  /// What the server said. Only its first line, which names things: the details have values in them.
  init(_ result: OpaquePointer, _ address: PostgresAddress) {
    func field(_ letter: Character) -> String {
      guard let ascii = letter.asciiValue, let text = pq_resultErrorField(result, Int32(ascii)) else { return "" }
      return address.cleaned(String(cString: text))
    }
    let code = field("C")
    var message = field("M")
    // Not from the server.
    if message.isEmpty { message = address.cleaned(String(cString: pq_resultErrorMessage(result))) }
    let table = field("t")
    self.init(
      code: code, message: message, isOver: ["FATAL", "PANIC"].contains(field("V")), address,
      key: StateKey(table, Self.columns(inDetail: field("D"))))
  }

  /// - Parameter isOver: the server ended the connection with it.
  init(code: String, message: String, isOver: Bool, _ address: PostgresAddress, key: StateKey) {
    let there = "PostgreSQL at \(address.place)"
    func failure(_ course: Course, _ kind: StateError.Kind, _ text: String) -> PostgresFailure {
      PostgresFailure(course: course, error: StateError(kind, text), code: code)
    }
    self =
      switch code {
      // Whatever it says of itself: what was being kept then may be there when the server has come up again.
      case _ where isOver: .lost(address, message)
      case "40001", "40P01": failure(.again, .busy, "others write the same at the same time: \(message). Try it again")
      case "55P03": failure(.again, .busy, "somebody else has it locked: \(message). Try it again")
      case "57014":
        failure(.final, .unavailable, "\(there) took too long: \(message). Look at pg_stat_activity for what it does")
      case "23505": failure(.alone, .conflict(key), message)
      case "P0001", "27000", "44000": failure(.final, .refused, message)
      case "42804": failure(.final, .value, message)
      case "42501":
        failure(
          .final, .engine, "\(there) does not allow it: \(message). Make the collector's role the owner of its database"
        )
      case "53100", "53200", "58030":
        failure(.final, .unavailable, "\(there) has no room: \(message). Look at its disk and memory")
      case let code where code.hasPrefix("57P") || (code.hasPrefix("08") && code != "08P01"):
        .lost(address, message)
      case let code where code.hasPrefix("23"): failure(.final, .refused, message)
      case let code where code.hasPrefix("22"): failure(.final, .value, message)
      case let code where code.hasPrefix("53") || code.hasPrefix("58"):
        failure(.final, .unavailable, "\(there): \(message)")
      default: failure(.final, .engine, "\(there): \(message)")
      }
  }

  /// Of `Key (project, givenname)=(1, x) already exists.`, in whatever language.
  private static func columns(inDetail text: String) -> [String] {
    guard let end = text.firstRange(of: ")=(")?.lowerBound, let start = text[..<end].lastIndex(of: "(") else {
      return []
    }
    return text[text.index(after: start)..<end].replacing(", ", with: ",").split(separator: ",")
      .map { $0.filter { $0 != "\"" } }
  }
}
