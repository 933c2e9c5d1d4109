import AutoMobileSDK

extension UploadRules {
  /// What is sent of the demo's story in flight recorder mode: crashes, hangs and failed requests, as in ``standard``, with what was
  /// around them. The person in it does in a second what others do in a minute, so a minute of the standard rules is a second here.
  static let story = UploadRules([
    UploadRule("crash", when: .crash, send: UploadSpan(minutesBefore: 5.0 / 60, minutesAfter: 0, priority: 9)),
    UploadRule(
      "hang", when: .hang(atLeastMs: 2000), send: UploadSpan(minutesBefore: 2.0 / 60, minutesAfter: 0.5 / 60)),
    UploadRule(
      "failed request", when: .request(UploadRequest(failed: true)),
      send: UploadSpan(minutesBefore: 2.0 / 60, minutesAfter: 0.5 / 60)),
  ])
}
