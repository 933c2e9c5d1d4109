// The front door: who imports it has everything.
@_exported import AutoMobileCrashReporting
@_exported import AutoMobileInspection
@_exported import AutoMobileInterface
@_exported import AutoMobileRecorder
@_exported import AutoMobileRequests
@_exported import AutoMobileSystem
