/// How many names an app may bring into the tables that hold each name once. What comes under further ones is kept as
/// well, and is found under one name for all others, or by its text.
enum NameLimits {
  /// Types of events, of all apps. The payload of an event still says what it called itself.
  static let eventTypes = 10_000
  /// Under which further types are counted.
  static let otherType = "other_type"
  /// Screens of one session by which it is found. Its navigations all stay on its timeline.
  static let screens = 1000

  /// With the name as parameter 1. Numbers are given without gaps, so that the highest one tells how many there are. The
  /// types of the SDK find room whatever came before them.
  static let insertType = """
    INSERT OR IGNORE INTO event_type(name) SELECT ?1
    WHERE ?1 IN (\((EventTypes.known + [otherType]).map { "'\($0)'" }.joined(separator: ", ")))
      OR (SELECT IFNULL(MAX(id), 0) FROM event_type) < \(eventTypes)
    """
  /// With the session and the screen as parameters. Most screens have been seen before, and cost no counting.
  static let insertScreen = """
    INSERT INTO session_screen SELECT ?1, ?2
    WHERE NOT EXISTS (SELECT 1 FROM session_screen WHERE session = ?1 AND screen = ?2)
      AND (SELECT COUNT(*) FROM session_screen WHERE session = ?1) < \(screens)
    """
}
