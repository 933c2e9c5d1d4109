import Testing

/// The tests of adapters that report to the shared SDK: one at a time.
@Suite(.serialized) enum SharedSdkTests {}
