import AutoMobileClickHouse

/// What failed in sessions, as it was written down when it came.
extension ClickHouseReading {
  /// Sessions of which a program took something in that wrote down nothing of the kind.
  func unkept(_ names: [SessionName]) async throws -> Set<SessionName> {
    let statement = copies(
      "DISTINCT project, session", of: TelemetryTables.launchParts, [Self.keys(of: names)],
      first: ["keeping = 0"])
    let found = try await rows(statement) { SessionFact.Name(project: try $0.string(), session: try $0.string()) }
    let unkept = Set(found)
    return Set(names.filter { unkept.contains(.init(project: $0.project, session: $0.session)) })
  }

  /// So many errors of each session from either end of it on, each once.
  func keptFailures(of names: [SessionName]) async throws -> [Failed] {
    // As many stretches as errors are enough: each of them has one that stands before those of all others.
    async let early = stretches(of: names, "its_times[1]", FailureCandidate.early)
    async let late = stretches(of: names, "its_times[-1] DESC", FailureCandidate.late)
    var known: [Name: Failed] = [:]
    // What came again, in whichever stretch, has the number that it had first.
    for (name, failed) in try await early + late where failed.place.id < known[name]?.place.id ?? .max {
      known[name] = failed
    }
    return Dictionary(grouping: known.values, by: \.name).values.flatMap { failed -> [Failed] in
      let sorted = failed.sorted { $0.order < $1.order }
      guard sorted.count > FailureCandidate.early + FailureCandidate.late else { return sorted }
      return Array(sorted.prefix(FailureCandidate.early) + sorted.suffix(FailureCandidate.late))
    }
  }

  /// Of an event.
  private struct Name: Hashable {
    var project: String
    var launch: String
    var position: Int64
  }

  private func stretches(
    of names: [SessionName], _ order: SQL, _ count: Int
  ) async throws -> [(Name, Failed)] {
    let own: SQL = "project, session, shard, launch"
    let columns = ["ids", "positions", "times", "types", "texts"] as [SQL]
    let kept = columns.map { "argMin(failed_\($0), id) AS its_\($0)" as SQL }
    let statement = copies(
      "\(own), \(SQL.joined(kept, ", "))", of: TelemetryTables.eventCounts, [Self.keys(of: names)],
      "GROUP BY \(own), least, greatest, whole", first: ["errors > 0", Self.numbers(of: names)]
    ).inside {
      """
      SELECT \(own), \(SQL.joined(columns.map { "its_\($0)" }, ", ")) FROM (\($0)) WHERE notEmpty(its_ids) \
      ORDER BY \(order) LIMIT \(count: count) BY project, session
      """
    }
    let found = try await rows(statement) { row -> [(Name, Failed)] in
      let name = try SessionName(&row)
      let launch = try row.string()
      let ids = try row.array { try $0.int(Int64.self) }
      let positions = try row.array { try $0.int(Int64.self) }
      let times = try row.array { try $0.int(Int64.self) }
      let types = try row.array { try $0.string() }
      let texts = try row.array { try $0.string() }
      let count = [positions.count, times.count, types.count, texts.count].min() ?? 0
      return ids.prefix(count).indices.map { index in
        let place = EventPlace(
          project: name.project, session: name.session, id: ids[index], timestamp: times[index])
        return (
          Name(project: name.project, launch: launch, position: positions[index]),
          Failed(name: name, place: place, type: types[index], text: texts[index])
        )
      }
    }
    return found.flatMap(\.self)
  }
}
