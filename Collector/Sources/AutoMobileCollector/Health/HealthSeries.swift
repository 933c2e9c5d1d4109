/// The two lists that every part of *App health* has.
extension JSONOutput {
  /// `versions`: of the most frequent ones the newest first, so many of them; `otherVersions`: what was counted under other
  /// ones, and how many these are.
  mutating func versions<Sums: Summable>(
    _ versions: NamedSums<AppVersion, Sums>.Listed, _ write: (AppVersion, Sums, inout JSONOutput) -> Void
  ) {
    var versions = versions
    versions.sort(first: HealthReport.listedVersions) { $0.name < $1.name }
    array("versions") {
      for (version, sums) in versions.listed {
        $0.object {
          version.writeMembers(to: &$0)
          write(version, sums, &$0)
        }
      }
    }
    guard versions.names > 0 else { return }
    object("otherVersions") {
      $0.member("names", Int64(versions.names))
      write(AppVersion(nil, nil), versions.others, &$0)
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
