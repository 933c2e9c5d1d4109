import AutoMobileHTTP

/// A part of the time that an exchange took.
public struct HTTPPhase: Sendable, Equatable, Identifiable {
  public enum Name: String, Sendable, CaseIterable {
    /// Until the system began with it.
    case blocked
    case dns, connect, tls
    case send, wait, receive
  }

  public var name: Name
  /// From the beginning of the exchange, or of its last request when there were redirects, in milliseconds.
  public var start: Double
  /// In milliseconds.
  public var duration: Double

  public init(name: Name, start: Double, duration: Double) {
    self.name = name
    self.start = start
    self.duration = duration
  }

  public var id: Name { name }
  public var end: Double { start + duration }
}

extension HTTPExchange {
  /// Where the time went, in order: what a bar of timings shows. Of an exchange whose phases were not measured, all of it is
  /// ``HTTPPhase/Name/wait``.
  public var phases: [HTTPPhase] {
    let beginning = HARTimings.plausible(redirects.last?.atMs) ?? 0
    let total = durationMs.map { max(0, $0 - beginning) }
    let timings = timings.map { HARTimings($0, total: total) } ?? HARTimings(total: total)
    // What is called `connect` there includes TLS.
    let tls = max(0, min(timings.ssl, timings.connect))
    let durations: [(HTTPPhase.Name, Double)] = [
      (.blocked, timings.blocked), (.dns, timings.dns), (.connect, timings.connect - tls), (.tls, tls),
      (.send, timings.send), (.wait, timings.wait), (.receive, timings.receive),
    ]
    var phases: [HTTPPhase] = []
    var start = 0.0
    for (name, duration) in durations where duration > 0 {
      phases.append(HTTPPhase(name: name, start: start, duration: duration))
      start += duration
    }
    return phases
  }
}
