import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Makes events of requests in whose middle launches ended.
struct UnfinishedRequests: Sendable {
  private struct Request {
    var event: SdkNetworkRequestEvent
    var id: String
    var launch: LaunchID
    var contextId: UInt64?
  }

  let journal: Journal
  let buffer: SdkEventBuffer

  /// Each is told once, under the context that held, whatever happens to this launch meanwhile. Reads the disk.
  func tell(of launches: [LaunchID]) {
    let open = launches.flatMap(begun)
    guard !open.isEmpty else { return }
    let told = EndNote.told(.provisionalRequest, by: [.event, .eventAndBreadcrumb], in: journal) {
      Self.event($0)?.requestId
    }
    for request in open where !told.contains(request.id) {
      buffer.record(request.event, of: request.launch, contextId: request.contextId)
      EndNote.write(request.id, as: .provisionalRequest, in: buffer)
    }
  }

  /// What a launch noted, and did not note the end of.
  private func begun(in launch: LaunchID) -> [Request] {
    var requests: [Request] = []
    var ended: Set<String> = []
    let notes = journal.lastRecords(of: [.provisionalRequest], limit: RequestsUnderWay.retained, launch: launch)
    // From the end: a request that lasted was noted several times.
    for note in notes.reversed() {
      if let id = EndNote.id(in: note.payload) {
        ended.insert(id)
      } else if let event = Self.event(note.payload), let id = event.requestId, ended.insert(id).inserted {
        let contextId = note.payload.withUnsafeBytes { ContextReference(in: $0)?.id }
        requests.append(Request(event: event, id: id, launch: launch, contextId: contextId))
      }
    }
    return requests.ordered { $0.event.timestamp < $1.event.timestamp }
  }

  private static func event(_ payload: [UInt8]) -> SdkNetworkRequestEvent? {
    guard payload.starts(with: #"{"eventType":"network_request""#.utf8) else { return nil }
    return try? JSONDecoder().decode(SdkNetworkRequestEvent.self, from: Data(payload))
  }
}
