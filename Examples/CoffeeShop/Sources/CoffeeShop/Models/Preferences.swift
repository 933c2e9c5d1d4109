import Foundation
import Observation

/// Settings, in `UserDefaults`. Nothing here knows of AutoMobile: its inspector sees the changes by itself.
@MainActor @Observable public final class Preferences {
  nonisolated static let keys = ["favourite.oatMilk", "pickup.name"]

  private let defaults: UserDefaults

  public var likesOatMilk: Bool { didSet { defaults.set(likesOatMilk, forKey: "favourite.oatMilk") } }
  public var pickupName: String { didSet { defaults.set(pickupName, forKey: "pickup.name") } }

  public init(_ defaults: UserDefaults) {
    self.defaults = defaults
    likesOatMilk = defaults.bool(forKey: "favourite.oatMilk")
    pickupName = defaults.string(forKey: "pickup.name") ?? ""
  }
}
