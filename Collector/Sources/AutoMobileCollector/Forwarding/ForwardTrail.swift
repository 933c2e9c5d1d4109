import Foundation

/// The collectors that a record has come through, in an attribute of its resource: without it, two that forward to each other
/// would send the same records round for ever.
struct ForwardTrail {
  static let attribute = "automobile.forwarded_by"
  /// Collectors in a row; a company has fewer, a circle has more.
  static let longest = 8

  /// Names, the first that forwarded it first.
  let collectors: [Substring]

  init(_ text: String?) { collectors = (text ?? "").prefix(1000).split(separator: ",") }

  /// Why a collector does not take what has come this way; nil: it does.
  func refusal(by collector: String) -> String? {
    if collectors.contains(collector[...]) { return "it was forwarded by this collector, and has come back" }
    return collectors.count >= Self.longest ? "it was forwarded by \(collectors.count) collectors" : nil
  }

  /// Adds a collector to those that a resource names.
  static func sign(_ resource: inout OTLP.Resource, as collector: String) {
    guard let index = resource.attributes.firstIndex(where: { $0.key == attribute }) else {
      return resource.attributes.append(OTLP.KeyValue(attribute, collector))
    }
    let before = resource.attributes[index].value.anyText
    resource.attributes[index] = OTLP.KeyValue(attribute, "\(before),\(collector)")
  }
}
