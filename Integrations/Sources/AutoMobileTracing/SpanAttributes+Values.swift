import AutoMobileRecorder
import Tracing

extension SpanAttributes {
  /// As a span of the session has them; it bounds them itself.
  var values: [String: MetadataValue] {
    var values: [String: MetadataValue] = [:]
    forEach { values[$0] = MetadataValue($1) }
    return values
  }
}

extension MetadataValue {
  fileprivate init?(_ attribute: SpanAttribute) {
    switch attribute {
    case .int32(let value): self = .int(Int64(value))
    case .int64(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .stringConvertible(let value): self = .string(value.description)
    case .int32Array(let values): self = .array(values.map { .int(Int64($0)) })
    case .int64Array(let values): self = .array(values.map { .int($0) })
    case .doubleArray(let values): self = .array(values.map { .double($0) })
    case .boolArray(let values): self = .array(values.map { .bool($0) })
    case .stringArray(let values): self = .array(values.map { .string($0) })
    case .stringConvertibleArray(let values): self = .array(values.map { .string($0.description) })
    default: return nil
    }
  }
}
