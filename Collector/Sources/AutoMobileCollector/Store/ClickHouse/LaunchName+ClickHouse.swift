import AutoMobileClickHouse

extension LaunchName {
  /// Of `launch_parts`, grouped by project and launch: something of the launch itself has come. Of one that others only told of there are
  /// parts, too, and these say neither times nor who sent them.
  static let hasCome: SQL =
    "max(isNotNull(first) OR session = '' OR notEmpty(bundle) OR notEmpty(sdk)) = 1"
}
