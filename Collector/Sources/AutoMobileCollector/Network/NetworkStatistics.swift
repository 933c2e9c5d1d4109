/// Requests counted by endpoint: exact, over the newest of those that a filter leaves.
struct NetworkStatistics: Sendable {
  struct Endpoint: Hashable, Sendable {
    var host = ""
    var route = ""
    var method = ""
  }

  struct Sums: Summable {
    var count: Int64 = 0
    var failed: Int64 = 0
    var sent: Int64 = 0
    var received: Int64 = 0
    /// In microseconds, unordered.
    var durations: [Int64] = []
  }

  static let buckets = 60

  var endpoints = NamedSums<Endpoint, Sums>.Listed()
  var hosts = NamedSums<String, Sums>.Listed()
  var total = Sums()
  /// Whether older requests were left out.
  var isPartial = false
  var first: Int64?
  var last: Int64?
  /// From first to last in as many equal parts.
  var trend: [(count: Int64, failed: Int64)] = []

  /// Lists endpoints and hosts, and adds all up.
  ///
  /// - Parameters:
  ///   - endpoint: what is meant by a key; nil when nobody knows any more.
  ///   - host: whose of the keys are together.
  mutating func list<Key, Host>(
    _ byRoute: NamedSums<Key, Sums>, host: (Key) -> Host, endpoint: (Key) throws -> Endpoint?,
    hostName: (Host) throws -> String?
  ) rethrows where Host: Hashable & Sendable {
    endpoints = try byRoute.renamed(Self.listed, endpoint)
    endpoints.sort(first: Self.listed) {
      ($0.sums.count, $1.name.host, $1.name.route, $1.name.method)
        > ($1.sums.count, $0.name.host, $0.name.route, $0.name.method)
    }
    var byHost = NamedSums<Host, Sums>()
    for (key, sums) in byRoute.sums {
      byHost[host(key)].add(sums)
      total.add(sums)
    }
    hosts = try byHost.renamed(Self.listed, hostName)
    hosts.sort(first: Self.listed) { ($0.sums.count, $1.name) > ($1.sums.count, $0.name) }
  }

  mutating func count(_ times: [(at: Int64, failed: Bool)]) {
    guard let first = times.lazy.map(\.at).min(), let last = times.lazy.map(\.at).max() else { return }
    self.first = first
    self.last = last
    trend = Array(repeating: (0, 0), count: Self.buckets)
    let span = max(Double(last) - Double(first), 1)
    for (at, failed) in times {
      let bucket = min(Int((Double(at) - Double(first)) / span * Double(Self.buckets)), Self.buckets - 1)
      trend[bucket].count += 1
      if failed { trend[bucket].failed += 1 }
    }
  }
}

extension NetworkStatistics.Sums {
  mutating func add(failed: Bool, duration: Int64?, sent: Int64, received: Int64) {
    count += 1
    if failed { self.failed += 1 }
    if let duration { durations.append(duration) }
    self.sent += sent
    self.received += received
  }

  mutating func add(_ other: NetworkStatistics.Sums) {
    count += other.count
    failed += other.failed
    sent += other.sent
    received += other.received
    durations += other.durations
  }

  /// Puts durations in order, so that those who need them so find little left to do.
  mutating func order() { durations.sort() }

  /// The nearest rank, in microseconds; nil when none told how long it took.
  func percentile(_ percent: Int) -> Int64? {
    durations.isEmpty ? nil : durations.sorted()[(durations.count * percent + 99) / 100 - 1]
  }

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.member("count", count)
    json.member("failed", failed)
    json.member("sent", sent)
    json.member("received", received)
    let ordered = durations.sorted()
    guard let slowest = ordered.last else { return }
    /// The nearest rank: a duration that really was.
    func percentile(_ percent: Int) -> Double { Double(ordered[(ordered.count * percent + 99) / 100 - 1]) / 1000 }
    json.member("medianMs", number: percentile(50))
    json.member("p95Ms", number: percentile(95))
    json.member("slowestMs", number: Double(slowest) / 1000)
    json.member("totalMs", number: durations.reduce(0) { $0 + Double($1) } / 1000)
  }
}

extension NetworkStatistics {
  /// Endpoints and hosts that are given out.
  static let listed = 500

  func write(to json: inout JSONOutput) {
    json.object {
      total.writeMembers(to: &$0)
      $0.member("partial", isPartial)
      $0.member("first", first)
      $0.member("last", last)
      $0.array("trend") {
        for bucket in trend {
          $0.array {
            $0.number(bucket.count); $0.number(bucket.failed)
          }
        }
      }
      $0.member("endpointCount", Int64(endpoints.listed.count + endpoints.names))
      $0.array("endpoints") {
        for (endpoint, sums) in endpoints.listed {
          $0.object {
            $0.member("host", endpoint.host)
            $0.member("route", endpoint.route)
            $0.member("method", endpoint.method)
            sums.writeMembers(to: &$0)
          }
        }
      }
      endpoints.writeOthers("otherEndpoints", to: &$0)
      $0.array("hosts") {
        for (host, sums) in hosts.listed {
          $0.object {
            $0.member("host", host)
            sums.writeMembers(to: &$0)
          }
        }
      }
      hosts.writeOthers("otherHosts", to: &$0)
    }
  }
}

extension NamedSums.Listed where Sums == NetworkStatistics.Sums {
  fileprivate func writeOthers(_ name: String, to json: inout JSONOutput) {
    guard names > 0 else { return }
    json.object(name) {
      $0.member("names", Int64(names))
      others.writeMembers(to: &$0)
    }
  }
}
