/// What went wrong in a session, so that a list of sessions can say it: where it crashed, and what the app said of it; else the
/// requests that failed, else the log.
struct SessionFailure: Equatable, Sendable {
  /// Of the first such event.
  var event: Int64
  var type: String
  /// "Crash in Cart.total(of:)", "POST /v1/pay: 503", or what the app said.
  var title: String
}
