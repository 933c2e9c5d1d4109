/// Holds rules against what is stored of the last days.
protocol DryRunReading: Sendable {
  /// - Parameter bundle: the app; nil: all that may be seen.
  func run(_ scope: ReadScope, _ rules: [UploadRule], of bundle: String?, now: Int64) async throws -> DryRun
}
