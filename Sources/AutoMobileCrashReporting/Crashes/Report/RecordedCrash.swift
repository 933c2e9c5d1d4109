import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// Looks whether a launch has recorded the event of a crash, without taking part in its delivery.
enum RecordedCrash {
  static func find(_ crashed: LaunchID, recordedBy launch: LaunchID, in directory: URL) -> SdkCrashEvent? {
    let reader = JournalReader(directory: directory)
    let mark = Data(#""reportId":"\#(crashed.description)""#.utf8)
    var next: UInt64 = 0
    while true {
      let page = reader.read(launch, from: next, maximumRecords: 200)
      for record in page.records where record.kind == .event {
        let payload = Data(record.payload)
        guard payload.range(of: mark) != nil, let event = try? SdkEventDecoder.decode(payload) as? SdkCrashEvent,
          event.report?.reportId == crashed.description
        else { continue }
        return event
      }
      guard page.next > next, !page.records.isEmpty || !page.skipped.isEmpty else { return nil }
      next = page.next
    }
  }
}
