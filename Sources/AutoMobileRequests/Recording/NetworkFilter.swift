/// Which hosts, or paths, are recorded.
struct NetworkFilter: Sendable {
  var include: [Glob] = []
  var exclude: [Glob] = []

  init() {}

  init(include: [String], exclude: [String], ignoresCase: Bool) {
    self.include = include.map { Glob($0, ignoresCase: ignoresCase) }
    self.exclude = exclude.map { Glob($0, ignoresCase: ignoresCase) }
  }

  func accepts(_ text: String) -> Bool {
    (include.isEmpty || include.contains { $0.matches(text) }) && !exclude.contains { $0.matches(text) }
  }
}
