import Foundation

extension RequestMatches {
  /// - Parameter names: of the rows' sessions, row by row.
  func added(
    to rows: [NetworkRow], _ names: [SessionFact.Name], _ facts: [SessionFact.Name: SessionFact],
    _ reading: ClickHouseReading
  ) async throws -> [NetworkRow] {
    guard !isEmpty, !rows.isEmpty else { return rows }
    let rests = rows.prefix(Self.most).map { rest(of: $0) }
    let places = zip(zip(rows, names), rests).compactMap { row, rest in
      rest.isEmpty
        ? nil
        : EventPlace(project: row.1.project, session: row.1.session, id: row.0.event, timestamp: row.0.timestamp)
    }
    // What is beyond is not said: the list itself is what was asked for.
    let payloads = try await reading.payloads(places, bytes: reading.limits.pageBytes).json
    var rows = rows
    for (index, rest) in rests.enumerated() where !rest.isEmpty {
      rows[index].match = match(rows[index], rest, payload: payloads[rows[index].event]) {
        facts[names[index]].map { $0.said(of: names[index].session) }
      }
    }
    return rows
  }
}

extension SessionFact {
  func said(of session: String) -> RequestMatches.Session {
    let known = device.flatMap { try? JSONDecoder().decode([String: String].self, from: Data($0.utf8)) } ?? [:]
    let system = [known["systemName"], known["osVersion"]].compactMap(\.self).joined(separator: " ")
    return RequestMatches.Session(
      version: version, device: known["model"], system: system.isEmpty ? nil : system, tags: tags, name: session)
  }
}
