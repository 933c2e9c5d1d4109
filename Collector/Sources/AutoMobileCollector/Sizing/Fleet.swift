/// What a company has: phones, what people do with them, and how long it is kept.
package struct Fleet: Sendable, Equatable {
  /// Phones on which the app is used on a day.
  package var devices: Double
  /// Of each phone, a day.
  package var sessions: Double = 3
  /// In each session.
  package var events: Double = 300
  /// Of an event as JSON, on average, in bytes.
  package var eventBytes: Double = 200
  /// Of each session, on average over those with a replay and those without.
  package var replayMinutes: Double = 0
  /// For which everything is kept.
  package var days: Double = 30
  /// How much more the busiest second has than the mean one.
  package var peak: Double = 4
  package var fullText = true

  package init(devices: Double) { self.devices = devices }
}
