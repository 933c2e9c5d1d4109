import AutoMobileClickHouse

/// Telemetry in ClickHouse: how it is asked for.
///
/// A question begins with ``read(_:_:_:)``, which takes whoever asks: what they may see becomes a part of every statement that a
/// ``ClickHouseReading`` makes, and nothing else can be asked. It waits for a place like those of the index, and ends with its
/// deadline and with its client, on the servers, too.
struct ClickHouseTelemetry: Sendable {
  let limits: CollectorLimits
  private let tables: ReadableTables
  private let asking: any ClickHouseAsking
  private let gate: ReadGate
  private let map: ShardMap?
  private let client: ClickHouseClient?

  init(_ cluster: ClickHouseCluster, gate: ReadGate, limits: CollectorLimits) {
    tables = cluster.tables
    asking = cluster.client
    map = cluster.map
    client = cluster.client
    self.gate = gate
    self.limits = limits
  }

  /// For one that is not asked over HTTP.
  init(_ asking: any ClickHouseAsking, _ tables: ReadableTables, gate: ReadGate, limits: CollectorLimits) {
    self.tables = tables
    self.asking = asking
    self.gate = gate
    self.limits = limits
    map = nil
    client = nil
  }

  /// Asks for somebody who may, as far as they may.
  ///
  /// - Throws: ``APIError``: 429 when too many ask for as much at once, 503 `too_expensive` when it takes too long or grows too
  ///   large, 503 `telemetry_unavailable` when servers do not answer, with those that do not; what `body` throws.
  func read<Result: Sendable>(
    _ scope: ReadScope, _ cost: ReadCost = .light,
    _ body: @escaping @Sendable (ClickHouseReading) async throws -> Result
  ) async throws -> Result {
    let reading = ClickHouseReading(asking, tables, scope.wall, limits)
    do {
      return try await gate.run(scope, cost) { limit in try await limit.run { try await body(reading) } }
    } catch let error as ClickHouseError {
      throw await explained(error)
    } catch let error as APIError where error == ReadLimit.explained(.tooLong) {
      throw await tooLong()
    }
  }

  /// Asks for the collector itself, which has no limits of what it sees.
  func readOwn<Result: Sendable>(
    _ body: @escaping @Sendable (ClickHouseReading) async throws -> Result
  ) async throws -> Result {
    do {
      return try await body(ClickHouseReading(asking, tables, nil, limits))
    } catch let error as ClickHouseError {
      throw await explained(error)
    }
  }

  // MARK: What went wrong

  private func explained(_ error: ClickHouseError) async -> any Error {
    switch error.kind {
    case .tooLarge: return ReadLimit.explained(.tooLong)
    case .timeout: return await tooLong()
    case .server where error.isOfLimits: return ReadLimit.explained(.tooLong)
    // Too many questions at once.
    case .server(code: 202): return APIError.busy("ClickHouse answers too many questions at once: try again")
    case .connection: return await unavailable()
    case .server where error.isTransient: return await unavailable()
    // What is wrong with a statement is wrong with this program.
    case .server, .answer, .address, .statement, .setup: return error
    }
  }

  /// Behind a network that swallows everything, a shard that is away only takes long.
  private func tooLong() async -> APIError {
    let silent = await silentShards()
    return silent.isEmpty ? ReadLimit.explained(.tooLong) : unavailable(silent)
  }

  private func unavailable() async -> APIError { unavailable(await silentShards()) }

  private func unavailable(_ silent: [Int]) -> APIError {
    let count = map?.shards.count ?? 1
    let what =
      silent.isEmpty || count == 1
      ? "ClickHouse does not answer"
      : silent.count == count
        ? "no shard of ClickHouse answers"
        : "shard \(silent.map(String.init).joined(separator: ", ")) of \(count) does not answer, and what lies there is missing"
    return APIError(
      .serviceUnavailable, "telemetry_unavailable", "\(what): what apps send meanwhile is kept; try again",
      retryAfter: 5)
  }

  /// Asks each shard by itself: the server that was asked knows the others by other addresses.
  private func silentShards() async -> [Int] {
    guard let map, let client else { return [] }
    return await withTaskGroup(of: Int?.self) { group in
      for shard in map.shards {
        let client = client.only(shard.hosts)
        group.addTask {
          let answers = Task { try await client.version() }
          let impatience = Task {
            try await Task.sleep(for: .seconds(5))
            answers.cancel()
          }
          defer { impatience.cancel() }
          return (try? await answers.value) == nil ? shard.number : nil
        }
      }
      var silent: [Int] = []
      for await shard in group { if let shard { silent.append(shard) } }
      return silent.sorted()
    }
  }
}

extension ClickHouseError {
  /// The question is one of which the servers, or this program, would have too much.
  var isOfLimits: Bool {
    switch kind {
    case .tooLarge, .timeout: true
    case .server(let code): Self.tooExpensive.contains(code)
    default: false
    }
  }

  /// Time (159, 160), rows and bytes (158, 307, 396), memory (241), depth (306), names in a statement (168).
  private static let tooExpensive: Set<Int> = [158, 159, 160, 168, 241, 306, 307, 396]
}
