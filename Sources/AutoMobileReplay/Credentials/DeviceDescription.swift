import Foundation

/// What a device says about itself when it asks for a credential.
package struct DeviceDescription: Sendable, Equatable {
  /// Names the installation, and nobody.
  package var deviceId: String
  package var bundleId: String
  package var platform: String
  package var metadata: [String: String]

  package init(deviceId: String, bundleId: String, platform: String, metadata: [String: String]) {
    self.deviceId = deviceId
    self.bundleId = bundleId
    self.platform = platform
    self.metadata = metadata
  }

  var json: [String: Any] { ["deviceId": deviceId, "metadata": metadata] }
}
