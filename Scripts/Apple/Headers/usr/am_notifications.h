// Documentation: *UNNotificationPresentationOptions*. iOS 10.0. In C, because Objective-C's methods take no option set of Swift's.
#pragma once

typedef enum __attribute__((flag_enum, enum_extensibility(open))) UNNotificationPresentationOptions : unsigned long {
  UNNotificationPresentationOptionBadge = 1 << 0,
  UNNotificationPresentationOptionSound = 1 << 1,
  UNNotificationPresentationOptionList = 1 << 3,
  UNNotificationPresentationOptionBanner = 1 << 4,
} UNNotificationPresentationOptions;
