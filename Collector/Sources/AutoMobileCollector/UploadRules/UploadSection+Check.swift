extension UploadSection {
  /// Somebody is there to mend it: unlike an SDK, the collector takes none of it when something is wrong.
  ///
  /// - Throws: ``APIError`` with everything that is wrong.
  func check() throws {
    guard !problems.isEmpty else { return }
    let told = problems.prefix(8).map(\.reason).joined(separator: "; ")
    var error = APIError.badRequest(
      "invalid_configuration", problems.count > 8 ? "\(told); and \(problems.count - 8) more" : told)
    error.problems = problems
    throw error
  }
}
