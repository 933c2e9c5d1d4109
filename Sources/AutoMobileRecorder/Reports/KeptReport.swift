/// A report that an event has. In an object: copying an event that holds it as a value is five kilobytes of code for each type of event.
/// Not for hangs: their first record must need no memory, since the main thread may hold the allocator.
final class KeptReport: Sendable {
  let report: DiagnosticReport

  init?(_ report: DiagnosticReport?) {
    guard let report else { return nil }
    self.report = report
  }
}
