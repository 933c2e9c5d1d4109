/// What of a route is written down. Lists and sums are not: they are asked for with every page, and say nothing of one person.
struct AuditRule: Sendable, Equatable {
  let action: AuditEntry.Action
  let route: String
  /// Refusals are worth a line also where what is let in is not.
  let isOnlyRefusals: Bool

  /// Nil: of what apps deliver and ask for nothing is written down, it is counted.
  init?(_ method: String, _ path: String, _ access: AccessWord) {
    route = "\(method) \(path)"
    if let signing = Self.signing[path], method == "POST" || path == ProviderRoutes.callback {
      action = signing
      isOnlyRefusals = false
      return
    }
    switch access {
    case .anyone, .ingest, .upload: return nil
    case .operator, .projectOperator:
      action = method == "GET" ? .read : .change
      isOnlyRefusals = false
    case .reader, .fullReader:
      // What is tried changes nothing: it is sums that are asked for.
      let isTrial = path.hasSuffix("/try")
      action = method != "GET" && !isTrial ? .change : Self.isFile(path) ? .export : .read
      // Agents' questions are routes of their own, which are looked at one by one.
      isOnlyRefusals = path == "/mcp" || isTrial || action == .read && !path.contains("{")
    }
  }

  private static let signing: [String: AuditEntry.Action] = [
    "/api/sign-in": .signIn, ProviderRoutes.callback: .signIn, "/api/sign-out": .signOut,
  ]

  /// What is saved and passed on.
  private static func isFile(_ path: String) -> Bool {
    let last = path.split(separator: "/").last ?? ""
    return ["file", "har", "trace", "logs", "traces", "curl", "fetch", "text", "report.txt", "report.ips"].contains(
      last)
      || path == "/sdk-events"
  }
}
