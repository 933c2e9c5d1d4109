import Foundation

/// The commands that every app answers: is it there, how is it doing, get it out.
enum BuiltInCommands {
  static func register(
    in registry: CommandRegistry, launch: String, diagnostics: @escaping @Sendable () -> AutoMobileDiagnostics?,
    flush: @escaping @Sendable () -> Void
  ) {
    registry.register("ping", changesSomething: false) { _ in
      [
        "launchId": .string(launch), "sdkVersion": .string(AutoMobileSDK.version),
        "time": .int(Clocks.millisecondsSince1970()),
      ]
    }
    registry.register("diagnostics", changesSomething: false) { _ in
      guard let diagnostics = diagnostics() else { throw ControlError("the SDK has been shut down") }
      return try JSONDecoder().decode(MetadataValue.self, from: JSONEncoder().encode(diagnostics))
    }
    registry.register("flush", changesSomething: false) { _ in
      flush()
      return ["flushing": true]
    }
  }
}
