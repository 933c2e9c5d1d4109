import AllocationCounter
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

struct NavigationListenersTests {
  private let listeners = NavigationListeners()
  private let event = NavigationEvent(destination: "home", source: .custom)

  /// Remembers what it heard.
  private final class Recorder: NavigationListener {
    let heard = Locked<[String]>([])
    func onNavigationEvent(_ event: NavigationEvent) { heard.withLock { $0.append(event.destination) } }
    var count: Int { heard.withLock { $0.count } }
  }

  private func notify() { listeners.notify(event) { true } }

  @Test func `every listener hears of every event, once`() {
    let first = Recorder()
    let second = Recorder()
    listeners.add(first)
    listeners.add(second)
    listeners.add(first)
    #expect(listeners.count == 2)
    notify()
    notify()
    #expect(first.count == 2)
    #expect(second.count == 2)
  }

  @Test func `a removed listener hears nothing more`() {
    let kept = Recorder()
    let removed = Recorder()
    listeners.add(kept)
    listeners.add(removed)
    listeners.remove(removed)
    listeners.remove(Recorder())
    notify()
    listeners.removeAll()
    notify()
    #expect(kept.count == 1)
    #expect(removed.count == 0)
    #expect(listeners.count == 0)
  }

  @Test func `a listener is kept until it is removed, and released then`() {
    weak var listener: Recorder?
    do {
      let recorder = Recorder()
      listener = recorder
      listeners.add(recorder)
    }
    notify()
    #expect(listener?.count == 1)
    listeners.removeAll()
    #expect(listener == nil)
  }

  @Test func `a listener may change the listeners, and end, while it is called`() {
    /// Removes itself when called, and adds another one when it goes.
    final class Restless: NavigationListener {
      let listeners: NavigationListeners
      init(_ listeners: NavigationListeners) { self.listeners = listeners }
      deinit { listeners.add(Recorder()) }
      func onNavigationEvent(_ event: NavigationEvent) {
        listeners.remove(self)
        _ = listeners.count
      }
    }
    listeners.add(Restless(listeners))
    listeners.add(Restless(listeners))
    notify()
    #expect(listeners.count == 2)
    listeners.removeAll()
    #expect(listeners.count == 0)
  }

  @Test func `listeners may come and go while other threads report`() {
    let always = Recorder()
    listeners.add(always)
    let perThread = 500
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for _ in 0..<perThread {
        if thread == 0 {
          let passing = Recorder()
          listeners.add(passing)
          listeners.remove(passing)
        } else {
          notify()
        }
      }
    }
    #expect(always.count == 3 * perThread)
    #expect(listeners.count == 1)
  }

  @Test(.enabled(if: allocation_counter_available())) func `telling nobody allocates nothing`() {
    let before = allocation_counter_thread_count()
    notify()
    #expect(allocation_counter_thread_count() == before)
  }
}
