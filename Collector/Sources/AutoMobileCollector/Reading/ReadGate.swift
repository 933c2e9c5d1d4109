import NIOConcurrencyHelpers

/// Who may ask a store at this moment, and until when; whatever the store is.
final class ReadGate: Sendable {
  /// Of everybody together.
  let places: ReadPlaces
  private let limits: CollectorLimits
  /// What the readers of each project have; as many as there are projects.
  private let shares = NIOLockedValueBox<[Set<String>: ReadPlaces]>([:])

  init(_ limits: CollectorLimits) {
    self.limits = limits
    places = ReadPlaces(limits.readPlaces)
  }

  /// Runs `body` when there is a place for it, with what ends it.
  ///
  /// - Throws: ``APIError`` 429 when too many ask for as much at once; what `body` throws.
  func run<Result: Sendable>(
    _ scope: ReadScope, _ cost: ReadCost, _ body: @Sendable (ReadLimit) async throws -> Result
  ) async throws -> Result {
    if case .projects(let projects) = scope.reach {
      return try await places(of: projects).take(cost, for: scope.client) { try await runAsAll(scope, cost, body) }
    }
    return try await runAsAll(scope, cost, body)
  }

  private func runAsAll<Result: Sendable>(
    _ scope: ReadScope, _ cost: ReadCost, _ body: @Sendable (ReadLimit) async throws -> Result
  ) async throws -> Result {
    try await places.take(cost, for: scope.client) {
      let limit = ReadLimit(seconds: limits.readSeconds, client: scope.client, stop: places.stopTime)
      let watch = Task { try await limit.watch() }
      defer { watch.cancel() }
      return try await body(limit)
    }
  }

  /// The places of those who see these projects, inside of those for all. Whoever waits for one is ended by what it waits for.
  private func places(of projects: Set<String>) -> ReadPlaces {
    shares.withLockedValue { shares in
      if let known = shares[projects] { return known }
      let made = ReadPlaces(limits.projectReadPlaces)
      shares[projects] = made
      return made
    }
  }
}

extension CollectorLimits {
  /// Of the readers of the database, how many are for what. A few more are left to the collector's own work.
  var readPlaces: [ReadCost: ReadPlaces.Kind] {
    [
      .light: .init(places: lightReads, waiting: connections, patience: readWaitSeconds),
      .heavy: .init(places: heavyReads, waiting: waitingHeavyReads, patience: readWaitSeconds),
      .tail: .init(places: tailReads, waiting: subscribers, patience: nil),
    ]
  }

  /// Of these, those that readers of one project can have: others have room whatever it asks.
  var projectReadPlaces: [ReadCost: ReadPlaces.Kind] {
    readPlaces.mapValues { kind in
      .init(places: max(1, kind.places - 1), waiting: kind.waiting, patience: kind.patience)
    }
  }
}
