import AutoMobileState
import Foundation
import NIOCore

/// The app's side.
extension SharedCommands {
  func nextQuestion() -> UInt64 {
    contents.withLockedValue { contents in
      contents.lastQuestion += 1
      return contents.lastQuestion
    }
  }

  func leave(_ id: UInt64, of launch: Address) {
    let launch = launch.keepable
    let bell = contents.withLockedValue { contents -> AsyncStream<Void>.Continuation? in
      guard contents.questions[launch]?.id == id else { return nil }
      contents.questions[launch]?.hasLeft = true
      return contents.questions[launch]?.bell
    }
    bell?.finish()
  }

  func question(
    _ id: UInt64, of listener: Listener, wait seconds: Double, hasNews: @escaping @Sendable () -> Bool = { false }
  ) async -> [Command] {
    let listener = listener.keepable
    guard let (name, rings) = open(id, of: listener.address, hasNews) else { return [] }
    // It is looked once all the same: the app listens, and a command may wait for it.
    if hasNews() { end(id, of: listener.address) }
    let timer = Task { [self] in
      try? await Task.sleep(for: .seconds(seconds))
      end(id, of: listener.address)
    }
    defer { timer.cancel() }
    let lease = Int64(seconds * 1000) + grace
    var (isListed, pause, commands) = (false, Self.pauses.first, [Command]())
    looking: for await _ in rings {
      do {
        if !isListed {
          try await state.write { try CommandRows.listen(listener, question: name, for: lease, in: $0) }
          isListed = true
        }
        switch try await state.read({ try CommandRows.waiting(for: listener.address, question: name, in: $0) }) {
        case .nothing: pause = Self.pauses.first
        case .replaced: break looking
        case .commands:
          commands = try await state.write { [grace] in
            try CommandRows.take(for: listener.address, question: name, grace: grace, in: $0)
          }
          if !commands.isEmpty { break looking }
        }
      } catch {
        ring(id, of: listener.address, after: pause)
        pause = min(pause * 2, Self.pauses.longest)
      }
    }
    close(id, of: listener.address, name, isToRest: isListed && commands.isEmpty)
    return commands
  }

  func answer(_ id: String, launch: String, owner: DataOwner?, _ body: ByteBuffer) async throws -> Bool {
    let (id, launch, bytes) = (id.keepable, launch.keepable, Array(body.readableBytesView))
    return try await state.write { try CommandRows.answer(id, launch: launch, owner: owner, bytes, in: $0) }
  }

  // MARK: Questions that are held

  /// - Returns: nil when there is no place for one.
  private func open(
    _ id: UInt64, of launch: Address, _ hasNews: @escaping @Sendable () -> Bool
  ) -> (name: String, rings: AsyncStream<Void>)? {
    let (rings, bell) = Self.bell()
    let name = UUID().uuidString
    let (hasPlace, replaced) = contents.withLockedValue { contents -> (Bool, AsyncStream<Void>.Continuation?) in
      guard !contents.isStopped, contents.hasRoom(for: launch) else { return (false, nil) }
      // A question that is still open is of a connection that is gone.
      let old = contents.questions[launch]?.bell
      contents.questions[launch] = Question(id: id, name: name, hasNews: hasNews, bell: bell)
      contents.places[launch] = WallClock.now + grace
      return (true, old)
    }
    replaced?.finish()
    guard hasPlace else { return nil }
    bell.yield()
    return (name, rings)
  }

  private func bell(of id: UInt64, _ launch: Address) -> AsyncStream<Void>.Continuation? {
    contents.withLockedValue { $0.questions[launch].flatMap { $0.id == id ? $0.bell : nil } }
  }

  private func end(_ id: UInt64, of launch: Address) { bell(of: id, launch)?.finish() }

  private func ring(_ id: UInt64, of launch: Address, after pause: Duration) {
    Task { [self] in
      try? await Task.sleep(for: pause)
      bell(of: id, launch)?.yield()
    }
  }

  /// The app has its answer, and does not wait for what others are told of that.
  private func close(_ id: UInt64, of launch: Address, _ name: String, isToRest: Bool) {
    let hasLeft = contents.withLockedValue { contents -> Bool in
      guard let question = contents.questions[launch], question.id == id else { return false }
      contents.questions[launch] = nil
      contents.places[launch] = question.hasLeft ? nil : WallClock.now + grace
      return question.hasLeft
    }
    guard isToRest else { return }
    Task { [state, grace] in
      try? await state.write {
        try CommandRows.rest(launch, question: name, for: hasLeft ? 0 : grace, in: $0)
      }
    }
  }
}

extension CommandExchange.Address {
  fileprivate var keepable: Self { Self(owner: DataOwner(name: owner.name.keepable), launch: launch.keepable) }
}

extension CommandExchange.Listener {
  fileprivate var keepable: Self {
    Self(address: address.keepable, bundle: bundle?.keepable, names: names.map(\.keepable), lastSeen: lastSeen)
  }
}
