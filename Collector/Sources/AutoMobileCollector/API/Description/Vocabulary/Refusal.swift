import AutoMobileState

extension APIDescription {
  /// An answer that is not what was asked for. All have the same form (``APIError``); its `code` says which it is.
  struct Refusal: Sendable, Equatable {
    var status: Int
    var code: String
    var when: String

    init(_ status: Int, _ code: String, _ when: String) {
      self.status = status
      self.code = code
      self.when = when
    }

    static func unknown(_ code: String, _ when: String) -> Refusal { Refusal(404, code, when) }
    static let noSession = unknown("no_session", "no session with this id")
    static let noIssue = unknown("no_issue", "no issue with this id")
    static let noEvent = unknown("no_event", "no event with this number")
    static let noReport = unknown("no_report", "an event of another type than crash, hang or handled_exception")
    static let noRequest = unknown("no_request", "an event of another type than network_request")
    static let noProject = unknown("no_project", "no project with this number")
    static let noKey = unknown("no_key", "no key with this number, or one that has ended")
    static let operatorsKey = Refusal(403, "project_only", "operators' keys are changed with a key for all projects")
    static let otherProject = Refusal(403, "other_project", "the key is for one project, and this is not of it")
    static let noSearch = unknown("no_search", "no saved search with this number")
    static let tooMany = Refusal(409, "too_many", "there are as many as there can be")
    static let badSearch = Refusal(400, "invalid_query", "the search cannot be read: the message says where")
    static let stored = Refusal(503, "storage", "what came could not be written: the disk is full, for one")
    static let unreadable = Refusal(503, "blobs_unavailable", "the store of blobs does not answer at this moment")

    // MARK: What follows from a route

    /// Those that every route of a kind has.
    static func following(from access: AccessWord, hasBody: Bool) -> [Refusal] {
      var all = [
        Refusal(400, "invalid_target", "the target is not in the normal form of RFC 3986"),
        Refusal(400, "malformed_request", "it is no HTTP, or has two of what there is one of"),
        Refusal(400, "invalid_…", "what is named behind invalid_ is not what it must be: the message says what"),
        Refusal(403, "foreign_origin", "a web page of another origin asks"),
        Refusal(421, "wrong_host", "on loopback: the Host is not one of its names"),
        Refusal(431, "headers_too_large", "there are too many header fields, or too large ones"),
        Refusal(503, "state_unavailable", "where the state is shared: its database does not answer at this moment"),
        Refusal(
          504, StateError.unknownCode,
          "where the state is shared: its database went away while a change was being kept. Look whether it is there before you repeat it"
        ),
        Refusal(503, "state_busy", "where the state is shared: others change the same at this moment"),
      ]
      if access != .anyone {
        all += [
          Refusal(401, "key_required", "a key is needed, and there is none"),
          Refusal(401, "wrong_key", "the key is not known, or has ended"),
          Refusal(401, "token_expired", "the upload token has expired"),
          .notFromViewer,
        ]
      }
      if access != .anyone {
        all.append(
          Refusal(429, "rate_limited", "the key, its project or the launch has had what it may: Retry-After says when"))
      }
      all += forbidden(access)
      switch access {
      case .anyone: break
      case .reader, .fullReader:
        all += [
          Refusal(429, "busy", "too much is being asked or answered at this moment"),
          Refusal(503, "too_expensive", "the question takes too long: narrow it"),
          Refusal(503, "stopping", "the collector is stopping"),
        ]
      case .ingest, .upload, .operator, .projectOperator:
        all += [
          Refusal(429, "busy", "too much is under way at this moment, or too much of this key's"),
          Refusal(503, "stopping", "the collector is stopping"),
        ]
      }
      guard hasBody else { return all }
      return all + [
        Refusal(400, "invalid_json", "the body is no JSON, or not whole as it was compressed; `offset` says where"),
        Refusal(413, "too_large", "the body is larger than it may be"),
        Refusal(415, "unsupported_media_type", "Content-Type or Content-Encoding is none that is taken here"),
      ]
    }

    private static func forbidden(_ access: AccessWord) -> [Refusal] {
      let token = Refusal(403, "upload_only", "an upload token uploads replays only")
      let whole = Refusal(403, "project_only", "the key is for one project, and this is of the whole collector")
      switch access {
      case .anyone: return []
      case .reader, .fullReader:
        let own = [
          Refusal(403, "ingest_only", "a project's key delivers, and reads nothing"), token,
          Refusal(403, "not_viewer", "nothing was granted to who has signed in"),
        ]
        return access == .reader ? own : own + [whole]
      case .operator, .projectOperator:
        let own = [
          Refusal(403, "not_operator", "an operator's key is needed, or the sign-in of an operator or admin"),
          Refusal(
            403, "no_operator_key", "the collector can be reached from other machines, and has no operator's key"),
        ]
        return own + [access == .operator ? whole : otherProject]
      case .ingest, .upload:
        let wrong = [
          Refusal(403, "viewer_only", "a viewer's key reads, and delivers nothing"),
          Refusal(403, "wrong_app", "the key or the token is for another app"),
        ]
        return access == .ingest ? wrong + [token] : wrong
      }
    }

    /// Answers by status: those that others have too by their name, the rest with its codes.
    ///
    /// - Parameter forms: those that it can have beside ``APIError``'s.
    static func documents(_ own: [Refusal], beside kind: Kind, orAs forms: [Answer.Content] = [])
      -> [DocumentValue.Entry]
    {
      let all = kind.refusals + own
      return Set(all.map(\.status)).sorted().map { status in
        let answer =
          !forms.isEmpty || own.contains { $0.status == status }
          ? document(all.filter { $0.status == status }, hasContents: kind.hasContents, orAs: forms)
          : ["$ref": .text("#/components/responses/\(kind.name(status))")]
        return .init(String(status), answer)
      }
    }

    fileprivate static func document(
      _ refusals: [Refusal], hasContents: Bool, orAs forms: [Answer.Content] = []
    ) -> DocumentValue {
      let text = refusals.map { "`\($0.code)`: \($0.when)." }.joined(separator: "\n\n")
      let status = refusals.first?.status ?? 400
      let asJSON: [Shape] = [.named("APIError")] + forms.filter { $0.type == MediaType.json }.map(\.schema)
      let contents: [Answer.Content] =
        [.init(type: MediaType.json, schema: asJSON.count == 1 ? asJSON[0] : .either(asJSON))]
        + forms.filter { $0.type != MediaType.json }
      var answer = Answer(status: status, about: text, contents: hasContents ? contents : [])
      if status == 429 || status == 503 { answer = answer.with(.retryAfter) }
      return answer.document
    }
  }
}

extension APIDescription.Refusal {
  /// What decides which refusals a route has.
  struct Kind: Sendable, Hashable {
    var access: AccessWord
    var hasBody: Bool
    /// The head of an answer has none.
    var hasContents: Bool

    var refusals: [APIDescription.Refusal] { APIDescription.Refusal.following(from: access, hasBody: hasBody) }

    /// `reader403`, `operatorBody400`: by which operations refer to them.
    func name(_ status: Int) -> String {
      "\(access.rawValue)\(hasBody ? "Body" : "")\(hasContents ? "" : "Head")\(status)"
    }

    /// All of them, by name.
    var components: [DocumentValue.Entry] {
      Set(refusals.map(\.status)).sorted().map { status in
        .init(
          name(status),
          APIDescription.Refusal.document(refusals.filter { $0.status == status }, hasContents: hasContents))
      }
    }
  }
}
