import AutoMobileSDK

extension UploadRules {
  /// What is sent of the demo's story in flight recorder mode: crashes, hangs and failed requests, as in ``standard``, with what was
  /// around them. The person in it does in a second what others do in a minute, and in a part of one where the pace is quicker; so long
  /// is a minute of the standard rules here.
  static func story(pace: Double) -> UploadRules {
    let minute = max(0.1, pace) / 60
    return UploadRules([
      UploadRule(
        "crash", when: .crash, send: UploadSpan(minutesBefore: 5 * minute, minutesAfter: 0, priority: 9)),
      UploadRule(
        "hang", when: .hang(atLeastMs: 2000),
        send: UploadSpan(minutesBefore: 2 * minute, minutesAfter: 0.5 * minute)),
      UploadRule(
        "failed request", when: .request(UploadRequest(failed: true)),
        send: UploadSpan(minutesBefore: 2 * minute, minutesAfter: 0.5 * minute)),
    ])
  }
}
