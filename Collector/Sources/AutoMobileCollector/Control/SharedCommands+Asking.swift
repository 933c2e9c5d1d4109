import AutoMobileState
import Foundation
import NIOCore

/// The operator's side.
extension SharedCommands {
  func presence() async throws -> (listeners: [Listener], left: [Address]) {
    try await state.read { try CommandRows.presence(in: $0) }
  }

  func ask(_ command: Command, of launch: Address) async throws -> Answer {
    var command = command
    command.name = command.name.keepable
    command.arguments = command.arguments.keepable
    let (id, given) = (command.id, command)
    // The app gives up by itself, and says so; this is for one that is gone.
    let patience = command.timeout + 2
    let (rings, bell) = Self.bell()
    // First: what the app says at once is heard, too.
    let isOpen = contents.withLockedValue { contents in
      guard !contents.isStopped else { return false }
      contents.waiting[id] = bell
      return true
    }
    guard isOpen else { return .stopping }
    defer { contents.withLockedValue { $0.waiting[id] = nil } }
    let timer = Task {
      try? await Task.sleep(for: .seconds(patience))
      bell.finish()
    }
    defer { timer.cancel() }
    switch try await state.write({ try CommandRows.give(given, to: launch, for: Int64(patience * 1000), in: $0) }) {
    case .gone: return .gone
    case .busy: return .busy
    case .given: break
    }
    var pause = Self.pauses.first
    for await _ in rings {
      do {
        if let body = try await state.write({ try CommandRows.fetch(id, in: $0) }) {
          return .body(ByteBuffer(bytes: body))
        }
        pause = Self.pauses.first
      } catch {
        Task { [pause] in
          try? await Task.sleep(for: pause)
          bell.yield()
        }
        pause = min(pause * 2, Self.pauses.longest)
      }
    }
    // Also when whoever asked is gone meanwhile: the row has to go.
    let last = Task { [state] in try? await state.write { try CommandRows.giveUp(id, in: $0) } }
    if contents.withLockedValue(\.isStopped) { return .stopping }
    return await last.value.flatMap { $0 }.map { .body(ByteBuffer(bytes: $0)) } ?? .timeout
  }
}
