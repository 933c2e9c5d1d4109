import AutoMobileSupport

/// The device that an event was recorded on.
public struct SdkDeviceInfo: Codable, Sendable, Equatable {
  /// The hardware's identifier, such as `iPhone15,2`.
  public let model: String
  public let manufacturer: String
  /// The system's version, such as `17.4.1`.
  public let osVersion: String
  /// The system's name, such as `iOS`.
  public let systemName: String

  public init(model: String, manufacturer: String = "Apple", osVersion: String, systemName: String) {
    self.model = model
    self.manufacturer = manufacturer
    self.osVersion = osVersion
    self.systemName = systemName
  }

  func encodeFields(into json: inout EventJSONWriter) {
    json.add("model", model)
    json.add("manufacturer", manufacturer)
    json.add("osVersion", osVersion)
    json.add("systemName", systemName)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkDeviceInfo {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    model = members.value("model")
    manufacturer = members.value("manufacturer")
    osVersion = members.value("osVersion")
    systemName = members.value("systemName")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("model", model)
    members.add("manufacturer", manufacturer)
    members.add("osVersion", osVersion)
    members.add("systemName", systemName)
    try members.end()
  }
}
