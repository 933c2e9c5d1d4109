import AutoMobileJournal
import Foundation

/// How a ``DeliveryWorker`` delivers.
struct DeliveryOptions: Sendable {
  enum Destination: Sendable {
    case endpoint(DeliveryEndpoint)
    /// One of the receivers on this machine: which, has to be found out.
    case simulator(SimulatorReceiver)
  }

  var destination: Destination
  /// Sent to a simulator's receiver; an endpoint has its own.
  var apiKey: String?
  var sender = DeliverySender()
  var policy = RetryPolicy()
  /// How often and how much; nil: everything at once.
  var pace: DeliveryPolicy?
  /// Where refused events are kept; nil: nowhere.
  var setAside: SetAsideFile?
  /// Where is kept what the receiver has said of itself; nil: nowhere.
  var memory: ReceiverMemory?
  /// The most records in a batch.
  var maximumRecords = 500
  /// Roughly the most bytes of records in a batch, in bytes.
  var maximumBytes = 256 * 1024
  /// Bodies in the journal format that are longer than this are compressed; nil: none is.
  var compressionThreshold: Int? = 1024

  /// Nothing is sent before these have let go, with ``DeliveryWorker/setHeld(_:by:isUrgent:)``.
  var holds: DeliveryHolds = []
  /// Asked before each request, on the worker's queue; no: none is sent, until the worker is woken again.
  var maySend: @Sendable () -> Bool = { true }
  /// Takes over what somebody else has left, before earlier launches are looked for; false: there is more, or it cannot be done
  /// now. Called on the worker's queue, and only while something may be sent.
  var takeOver: (@Sendable () -> Bool)?
  /// Who decides what is sent; nil: everything is.
  var keeper: UploadKeeper?
  /// Told of every answer before it is dealt with. Called on the worker's queue.
  var onAnswer: (@Sendable (HTTPAnswer, DeliveryEndpoint) -> Void)?

  init(_ destination: Destination) { self.destination = destination }
}
