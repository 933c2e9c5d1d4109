import AutoMobileHTTP

/// What is to be said of a request that has neither answer nor error: see `HTTPExchange.isUnfinished`.
public enum UnfinishedText {
  /// For example `under way: no response yet`.
  ///
  /// - Parameter isUnderWay: nil when it is not known whether the process still runs.
  public static func text(isUnderWay: Bool?) -> String {
    switch isUnderWay {
    case true?: "under way: no response yet"
    case false?: "unfinished: the app ended first"
    case nil: "no response: under way when this was recorded, or the app ended first"
    }
  }
}
