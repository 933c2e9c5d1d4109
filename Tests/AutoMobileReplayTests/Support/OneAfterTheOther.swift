@testable import AutoMobileReplay

extension FrameSegments {
  /// As `SessionUpload` asks where no other segment is wanted in between.
  func next(
    isOver: Bool, now: Int64, after growing: Growing?, mayGo: MayGo = .everything, endedAt: Int64? = nil
  ) -> Next? {
    next(isOver: isOver, now: now, growing: growing.map { [$0.key: $0] } ?? [:], mayGo: mayGo, endedAt: endedAt)
  }
}
