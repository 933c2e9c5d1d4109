import AutoMobileSDK
import Foundation

extension Act {
  /// What the system side offers on every platform.
  static let system: [Act] = [
    Act(
      "AutoMobileBiometrics.shared", "AutoMobileBiometrics.overrideResult(_:ttlMs:)",
      "AutoMobileBiometrics.consumeOverride()", "AutoMobileBiometrics.hasOverride",
      "AutoMobileBiometrics.overrideNotification", weight: 10
    ) { random, _ in
      let results: [BiometricResult] = [
        .success, .failure, .cancel, .error(code: random.int(), message: random.string()),
      ]
      AutoMobileBiometrics.shared.overrideResult(random.one(of: results), ttlMs: random.double())
      _ = (AutoMobileBiometrics.shared.hasOverride, AutoMobileBiometrics.overrideNotification)
      _ = AutoMobileBiometrics.shared.consumeOverride()
    },
    Act("AutoMobileBiometrics.clearOverride()", "AutoMobileBiometrics.isAllowed", weight: 2) { random, _ in
      AutoMobileBiometrics.shared.clearOverride()
      if random.bool() { AutoMobileBiometrics.shared.isAllowed = random.bool() }
    },
    Act(
      "AutoMobileNotifications.shared",
      "AutoMobileNotifications.post(title:body:style:imagePath:actions:categoryId:)",
      "NotificationAction.init(label:actionId:)",
      weight: 1
    ) { random, stage in
      let actions = (0..<random.below(12)).map { _ in
        NotificationAction(label: random.string(), actionId: random.string())
      }
      let style: NotificationStyle = random.one(of: [.default, .bigText, .bigPicture])
      let (title, body) = (random.string(), random.string())
      let image = random.optional {
        $0.one(of: [stage.directory.path, "/dev/zero", "http://127.0.0.1:1", $0.string()])
      }
      let category = random.optional { $0.string() }
      Task {
        _ = await AutoMobileNotifications.shared.post(
          title: title, body: body, style: style, imagePath: image, actions: actions, categoryId: category)
      }
    },
    Act(
      "AutoMobileNotifications.lastError", "AutoMobileNotifications.categoryIdentifier",
      "AutoMobileNotifications.actionNotification", "AutoMobileNotifications.actionIdUserInfoKey",
      "AutoMobileNotifications.notificationTitleUserInfoKey", weight: 1
    ) { _, _ in
      _ = (AutoMobileNotifications.shared.lastError, AutoMobileNotifications.categoryIdentifier)
      _ = AutoMobileNotifications.actionNotification
      _ = (AutoMobileNotifications.actionIdUserInfoKey, AutoMobileNotifications.notificationTitleUserInfoKey)
    },
    Act("AutoMobileOsEvents.shared", "AutoMobileNotificationObserver.shared", weight: 1) { _, _ in
      _ = (AutoMobileOsEvents.shared, AutoMobileNotificationObserver.shared)
      // What a system announces, also when it does not.
      NotificationCenter.default.post(
        name: Notification.Name("NSSystemTimeZoneDidChangeNotification"), object: nil, userInfo: ["key": 1])
    },
  ]
}
