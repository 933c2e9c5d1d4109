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
    static let noSearch = unknown("no_search", "no saved search with this number")
    static let tooMany = Refusal(409, "too_many", "there are as many as there can be")
    static let badSearch = Refusal(400, "invalid_query", "the search cannot be read: the message says where")
    static let stored = Refusal(503, "storage", "what came could not be written: the disk is full, for one")

    // MARK: What follows from a route

    /// Those that every route of a kind has.
    static func following(from access: AccessWord, takesSomething: Bool, hasBody: Bool) -> [Refusal] {
      var all = [
        Refusal(400, "invalid_target", "the target is not in the normal form of RFC 3986"),
        Refusal(400, "malformed_request", "it is no HTTP, or has two of what there is one of"),
        Refusal(403, "foreign_origin", "a web page of another origin asks"),
        Refusal(421, "wrong_host", "on loopback: the Host is not one of its names"),
        Refusal(431, "headers_too_large", "there are too many header fields, or too large ones"),
      ]
      if takesSomething || hasBody {
        all.append(
          Refusal(400, "invalid_…", "what is named behind invalid_ is not what it must be: the message says what"))
      }
      if access != .anyone {
        all += [
          Refusal(401, "key_required", "a key is needed, and there is none"),
          Refusal(401, "wrong_key", "the key is not known, or has ended"),
          Refusal(401, "token_expired", "the upload token has expired"),
        ]
      }
      all += forbidden(access)
      switch access {
      case .anyone: break
      case .reader:
        all += [
          Refusal(429, "busy", "too much is being asked or answered at this moment"),
          Refusal(503, "too_expensive", "the question takes too long: narrow it"),
          Refusal(503, "stopping", "the collector is stopping"),
        ]
      case .ingest, .upload, .operator:
        all += [
          Refusal(429, "busy", "too much is under way at this moment, or too much of this key's"),
          Refusal(503, "stopping", "the collector is stopping"),
        ]
      }
      guard hasBody else { return all }
      return all + [
        Refusal(400, "invalid_json", "the body is no JSON, or no whole gzip; `offset` says where"),
        Refusal(413, "too_large", "the body is larger than it may be"),
        Refusal(415, "unsupported_media_type", "Content-Type or Content-Encoding is none that is taken here"),
      ]
    }

    private static func forbidden(_ access: AccessWord) -> [Refusal] {
      let token = Refusal(403, "upload_only", "an upload token uploads replays only")
      switch access {
      case .anyone: return []
      case .reader: return [Refusal(403, "ingest_only", "a project's key delivers, and reads nothing"), token]
      case .operator: return [Refusal(403, "not_operator", "an operator's key is needed")]
      case .ingest, .upload:
        let wrong = [
          Refusal(403, "viewer_only", "a viewer's key reads, and delivers nothing"),
          Refusal(403, "wrong_app", "the key or the token is for another app"),
        ]
        return access == .ingest ? wrong + [token] : wrong
      }
    }

    /// Answers by status, each with its codes.
    ///
    /// - Parameter hasBody: the head of an answer has none.
    static func documents(_ refusals: [Refusal], hasBody: Bool) -> [DocumentValue.Entry] {
      let statuses = Set(refusals.map(\.status)).sorted()
      return statuses.map { status in
        let ofStatus = refusals.filter { $0.status == status }
        let text = ofStatus.map { "`\($0.code)`: \($0.when)." }.joined(separator: "\n\n")
        var answer = Answer(
          status: status, about: text,
          contents: hasBody ? [.init(type: MediaType.json, schema: .named("APIError"))] : [])
        if status == 429 || status == 503 { answer = answer.with(.retryAfter) }
        return DocumentValue.Entry(String(status), answer.document)
      }
    }
  }
}
