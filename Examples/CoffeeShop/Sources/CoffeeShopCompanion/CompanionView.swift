import AutoMobileNetworkLog
import AutoMobileNetworkLogger
import SwiftUI

/// The companion app: switches the network log of the coffee shop on and off, and shows it. Both apps are members of one app
/// group, in whose container the log lies.
public struct CompanionView: View {
  /// The coffee shop's and the companion's.
  public static let appGroup = "group.com.example.coffeeshop"

  /// In the container of both apps; nil when this one is no member of the group.
  public static var sharedDirectory: NetworkLogDirectory? {
    #if canImport(Darwin)
    NetworkLogDirectory(appGroup: appGroup)
    #else
    nil
    #endif
  }

  private let directory: NetworkLogDirectory
  @State private var isOn: Bool
  @State private var problem: String?

  public init(_ directory: NetworkLogDirectory) {
    self.directory = directory
    _isOn = State(wrappedValue: NetworkLogSwitch(directory).isOn)
  }

  public var body: some View {
    NavigationStack {
      List {
        Section("Coffee shop") {
          Toggle("Record requests", isOn: $isOn)
          Text("From the app's next launch on.").font(.caption).foregroundColor(.secondary)
          if let problem { Text(problem).foregroundColor(.red) }
        }
        NavigationLink {
          NetworkLogView(NetworkLog(directory))
        } label: {
          Text("Requests")
        }
      }
      .navigationTitle("Companion")
    }
    .onChange(of: isOn) { _, isOn in turn(on: isOn) }
  }

  private func turn(on isOn: Bool) {
    do {
      let logSwitch = NetworkLogSwitch(directory)
      // For a day: nobody remembers to switch it off.
      if isOn { try logSwitch.turnOn(until: Date(timeIntervalSinceNow: 86_400)) } else { try logSwitch.turnOff() }
      problem = nil
    } catch {
      problem = "The switch could not be written: \(error)"
    }
  }
}
