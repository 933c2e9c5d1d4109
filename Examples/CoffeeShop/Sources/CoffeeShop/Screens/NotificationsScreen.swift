import AutoMobileSDK
import SwiftUI
import UserNotifications

/// A notification with a button. What people choose there is recorded, because of what `FlightRecorder` installs.
struct NotificationsScreen: View {
  @State private var answer: String?

  var body: some View {
    Form {
      Button("Tell me when it is ready") { Task { await post() } }
      if let answer { Text(answer) }
    }
    .navigationTitle("Notifications")
  }

  private func post() async {
    let isAllowed = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound])
    guard isAllowed == true else { return answer = "Allow notifications in Settings first" }
    let isPosted = await AutoMobileNotifications.shared.post(
      title: "Your coffee is ready", body: "Harbour 12 keeps it warm for ten minutes.", style: .bigText,
      actions: [NotificationAction(label: "On my way", actionId: "on-my-way")])
    answer = isPosted ? "You will be told" : AutoMobileNotifications.shared.lastError ?? "That did not work"
  }
}
