/// What it costs that only what rules name is sent: the app, and delivery's queue.
func benchmarkUploadRules(_ report: Report) {
  RecordingWithRules.measure(report)
  LookingAtEvents.measure(report)
}
