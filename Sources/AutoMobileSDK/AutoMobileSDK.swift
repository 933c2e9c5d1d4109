/// The SDK: see `AutoMobileSDK`.
