import AutoMobileHTTP

/// What is recorded of requests. Each setting holds for the requests that end after it was made.
extension AutoMobileNetwork {
  /// Whether headers are recorded, with credentials redacted. Off until switched on.
  public func setCaptureHeaders(_ capture: Bool) { change { $0.capturesHeaders = capture } }

  /// Whether bodies are recorded, and the payloads of WebSocket frames: redacted, their first bytes only
  /// (``setMaxBodyBytes(_:)``). Off until switched on; release builds record none whatever is asked for.
  public func setCaptureBodies(_ capture: Bool) { change { $0.capturesBodies = capture } }

  /// How many bytes of a body are recorded: 32 768 unless set, which is also the most. True sizes are always told.
  public func setMaxBodyBytes(_ bytes: Int) {
    change { $0.maxBodyBytes = min(max(bytes, 0), NetworkSettings.longestBody) }
  }

  /// Headers whose values are replaced by `REDACTED`, in the place of ``defaultRedactedHeaders``.
  public func setRedactedHeaders(_ names: [String]) {
    change { $0.ownRedaction = HTTPRedaction(headers: names, fields: $0.redaction.fields) }
  }

  /// Parameters, JSON members and other fields whose values are replaced by `REDACTED`, in the place of
  /// ``defaultRedactedFields``. A name matches every longer one that contains it; one of fewer than five letters must be
  /// a word of it.
  ///
  ///     AutoMobileNetwork.shared.setRedactedFields(AutoMobileNetwork.defaultRedactedFields + ["birthday"])
  public func setRedactedFields(_ names: [String]) {
    change { $0.ownRedaction = HTTPRedaction(headers: $0.redaction.headers, fields: names) }
  }

  /// `Authorization`, `Cookie` and the like.
  public static let defaultRedactedHeaders = HTTPRedaction.standardHeaders
  /// `password`, `token` and the like.
  public static let defaultRedactedFields = HTTPRedaction.standardFields

  /// The header that the app's services use to follow a request (a "conversation id"): its value in the request, or else in
  /// the response, is recorded as `tracerId`, and can be searched for. Nil: none.
  public func setTracerHeader(_ name: String?) { change { $0.tracerHeader = name } }

  /// Hosts to whose requests a W3C `traceparent` header is added, when they have none. Empty, as at the beginning: no host.
  ///
  /// - Parameter hosts: names, or patterns with `*` for any characters: `*.example.com`.
  public func setTraceparentHosts(_ hosts: [String]) { addTraceparents(to: hosts.map { Glob($0, ignoresCase: true) }) }

  /// Which hosts' requests are recorded: those that match one of `include` (all when it is empty) and none of `exclude`.
  ///
  /// Both are names, or patterns with `*` for any characters: `*.example.com`.
  public func setHostFilter(include: [String] = [], exclude: [String] = []) {
    change { $0.hosts = NetworkFilter(include: include, exclude: exclude, ignoresCase: true) }
  }

  /// Which paths' requests are recorded: those that match one of `include` (all when it is empty) and none of `exclude`.
  ///
  /// Both are percent-encoded paths, or patterns with `*` for any characters: `/v1/*`.
  public func setPathFilter(include: [String] = [], exclude: [String] = []) {
    change { $0.paths = NetworkFilter(include: include, exclude: exclude, ignoresCase: false) }
  }

  /// The share of requests that is recorded: 0 (none) to 1 (all, as at the beginning). Whether one is depends on its id only.
  public func setSampleRate(_ rate: Double) { change { $0.sampleRate = rate.isNaN ? 1 : min(max(rate, 0), 1) } }
}
