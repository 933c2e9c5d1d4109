#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// What Foundation on Linux knows of a task and does not offer: read by reflection, and simply absent should a later
/// version call it by another name.
struct ReachedTask {
  var task: URLSessionTask
  var session: URLSession
  /// The task has a completion handler, or nobody who listens.
  var wantsWholeBody = true
  /// The delegate hears of the progress.
  var tellsDelegate = false
  var body = HostRequest.Body.ofRequest

  /// Call it on the task's work queue, where `startLoading` is called.
  init?(_ task: URLSessionTask) {
    var mirror = Mirror(reflecting: task)
    while mirror.subjectType != URLSessionTask.self {
      guard let parent = mirror.superclassMirror else { return nil }
      mirror = parent
    }
    guard let session = mirror.descendant("session") as? URLSession else { return nil }
    self.task = task
    self.session = session
    if task.delegate != nil, let behaviour = Self.behaviour(of: task, in: session) {
      wantsWholeBody = behaviour != "callDelegate"
      tellsDelegate = behaviour == "callDelegate" || behaviour.hasSuffix("TaskDelegate")
    }
    if task is URLSessionUploadTask { body = Self.body(mirror.descendant("knownBody")) }
  }

  /// Serial; where a session keeps its books and does its work.
  static func workQueue(of session: URLSession) -> DispatchQueue? {
    Mirror(reflecting: session).descendant("workQueue") as? DispatchQueue
  }

  /// The name of the case that says who hears of the task.
  private static func behaviour(of task: URLSessionTask, in session: URLSession) -> String? {
    guard let behaviours = Mirror(reflecting: session).descendant("taskRegistry", "behaviours") else { return nil }
    for entry in Mirror(reflecting: behaviours).children {
      let pair = Mirror(reflecting: entry.value)
      guard pair.descendant("key") as? Int == task.taskIdentifier, let behaviour = pair.descendant("value") else {
        continue
      }
      // A case without payload is its own name.
      return Mirror(reflecting: behaviour).children.first?.label ?? "\(behaviour)"
    }
    return nil
  }

  private static func body(_ known: Any?) -> HostRequest.Body {
    guard let known, let body = Mirror(reflecting: known).children.first?.value,
      let content = Mirror(reflecting: body).children.first?.value
    else { return .onDemand }
    switch content {
    case let data as DispatchData: return .data(Data(data))
    case let file as URL: return .file(file)
    case let stream as InputStream: return .stream(stream)
    default: return .onDemand
    }
  }
}
#endif
