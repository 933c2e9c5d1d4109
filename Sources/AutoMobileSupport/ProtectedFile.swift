import Foundation

extension Data {
  /// Writes a file that readers find as it was or as it is now, never in part.
  ///
  /// On Apple's devices it can be read from the first time that the device is unlocked: an app that is started in the background
  /// while it is locked reads it as well.
  ///
  /// - Throws: when the file cannot be written. What was there is there still.
  package func writeProtected(to url: URL) throws {
    #if canImport(Darwin)
    try write(to: url, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
    #else
    try write(to: url, options: .atomic)
    #endif
  }
}
