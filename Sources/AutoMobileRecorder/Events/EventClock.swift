/// The clock that events are stamped with.
public enum EventClock {
  /// Milliseconds since 1970, as the device's clock has it now. Allocates nothing; any thread. The clock may jump
  /// either way.
  public static func now() -> Int64 { Clocks.millisecondsSince1970() }
}
