import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides, before a request goes out, whether something else answers it.
package protocol MockResponding: Sendable {
  /// Whether an answer can depend on what the body holds. When not, ``answer(_:body:)`` gets none, and no body has to
  /// be held in memory for it.
  var needsBody: Bool { get }

  /// The answer; nil: the request goes to the network.
  ///
  /// Called on a queue of the interception's, once for each request: whoever answers has counted it.
  ///
  /// - Parameter body: the whole body; nil when there is none, when it is longer than
  ///   ``NetworkInterception/longestBodyForMocks``, or when it was not asked for.
  func answer(_ request: URLRequest, body: Data?) -> MockAnswer?
}

extension MockResponding {
  var needsBody: Bool { true }
}

/// What answers a request in the network's place.
package struct MockAnswer: Sendable, Equatable {
  package enum Outcome: Sendable, Equatable {
    case response(status: Int, headers: [String: String], body: Data)
    case failure(URLError.Code)
    /// The network answers, after the delay.
    case passthrough
  }

  /// The rule's name, as it stands in the recording.
  package var rule: String
  /// How long it takes to answer, in seconds.
  var delay: Double
  var outcome: Outcome

  package init(rule: String, delay: Double = 0, outcome: Outcome) {
    self.rule = rule
    self.delay = delay.isFinite ? max(0, delay) : 0
    self.outcome = outcome
  }
}
