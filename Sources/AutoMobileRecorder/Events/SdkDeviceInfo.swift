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
    json.member("model", model)
    json.member("manufacturer", manufacturer)
    json.member("osVersion", osVersion)
    json.member("systemName", systemName)
  }
}
