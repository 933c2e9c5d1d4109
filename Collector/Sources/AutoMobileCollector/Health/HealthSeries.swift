/// The two lists that every part of *App health* has.
extension JSONOutput {
  /// `versions`: the newest first, so many of them.
  mutating func versions<Sums>(
    _ versions: [AppVersion: Sums], _ write: (AppVersion, Sums, inout JSONOutput) -> Void
  ) {
    array("versions") {
      for (version, sums) in versions.sorted(by: { $0.key < $1.key }).prefix(HealthReport.listedVersions) {
        $0.object {
          version.writeMembers(to: &$0)
          write(version, sums, &$0)
        }
      }
    }
  }

  /// `trend`: a value for each stretch of the time that was asked for, the oldest first.
  mutating func trend<Sums>(_ trend: [Sums], of filter: HealthFilter, _ write: (Sums, inout JSONOutput) -> Void) {
    array("trend") {
      for (index, sums) in trend.enumerated() {
        $0.object {
          $0.member("at", filter.start(of: index))
          write(sums, &$0)
        }
      }
    }
  }
}
