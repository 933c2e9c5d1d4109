/// Why an event could not be written as JSON.
public enum EventEncodingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Its JSON is longer than ``EventJSONWriter/maximumSize``.
  case tooLarge
  /// Its `encode(to:)` threw.
  case notEncodable
  /// There was no memory for its JSON.
  case outOfMemory

  public var description: String {
    switch self {
    case .tooLarge: "the event's JSON is longer than \(EventJSONWriter.maximumSize) bytes: record less in one event"
    case .notEncodable: "the event's encode(to:) threw: encode the event with JSONEncoder to see its error"
    case .outOfMemory: "there is no memory for the event's JSON"
    }
  }
}

/// Lends the JSON of an event, as it stands in the journal: with `"contextId"` as its last member when there is a
/// context.
///
/// The bytes are valid during `body` only. For the SDK's own types nothing is allocated while the JSON is no longer
/// than about a kilobyte. Any thread.
@inline(__always)
package func withEncodedEvent<R>(
  _ event: some SdkEvent, contextId: UInt64?, _ body: (UnsafeRawBufferPointer) -> R
) throws(EventEncodingError) -> R {
  try withJSONObject { json in
    event.encodeFields(into: &json)
    if let contextId {
      json.key("contextId")
      json.value(contextId)
    }
  } body: {
    body($0)
  }
}

/// Lends the JSON of an object whose members `members` writes.
@inline(__always)
package func withJSONObject<R>(
  _ members: (inout EventJSONWriter) -> Void, body: (UnsafeRawBufferPointer) -> R
) throws(EventEncodingError) -> R {
  try withJSON { json in
    json.begin()
    members(&json)
    json.finish()
  } body: {
    body($0)
  }
}

/// Lends the JSON that `write` writes.
@inline(__always)
func withJSON<R>(
  limit: Int = EventJSONWriter.maximumSize, _ write: (inout EventJSONWriter) -> Void,
  body: (UnsafeRawBufferPointer) -> R
) throws(EventEncodingError) -> R {
  // A kilobyte is what this call may take from the stack without asking the heap.
  let result: Result<R, EventEncodingError> = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { scratch in
    guard let start = scratch.baseAddress else { return .failure(.outOfMemory) }
    var json = EventJSONWriter(scratch: start, capacity: scratch.count, limit: limit)
    write(&json)
    if let failure = json.failure { return .failure(failure) }
    return .success(body(json.bytes))
  }
  switch result {
  case .success(let value): return value
  case .failure(let error): throw error
  }
}
