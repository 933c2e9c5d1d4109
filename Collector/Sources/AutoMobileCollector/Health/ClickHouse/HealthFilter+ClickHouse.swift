import AutoMobileClickHouse

extension HealthFilter {
  /// Of rows that say themselves when they were, and of which app in which version.
  var rows: [SQL] { ["timestamp >= \(from) AND timestamp < \(to)"] + app(bundle: "bundle", version: "version") }

  /// ``admits(app:version:)``.
  func app(bundle: SQL, version: SQL) -> [SQL] {
    var conditions: [SQL] = []
    if let bundleId { conditions.append("\(bundle) = \(text: bundleId)") }
    if let wanted = self.version { conditions.append("\(version) = \(text: wanted)") }
    return conditions
  }

  /// In which part of a trend a time is, counted from the last one: see ``Parts/index(fromEnd:)``.
  func place(of time: SQL) -> SQL { "intDiv(\(to - 1) - \(time), \(bucket))" }
}
