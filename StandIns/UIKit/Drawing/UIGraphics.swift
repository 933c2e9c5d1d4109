import Foundation

private nonisolated(unsafe) var contexts: [CGContext] = []

/// Documentation: *UIGraphicsPushContext(_:)*. iOS 2.0.
public func UIGraphicsPushContext(_ context: CGContext) { contexts.append(context) }

/// Documentation: *UIGraphicsPopContext()*. iOS 2.0.
public func UIGraphicsPopContext() { _ = contexts.popLast() }

/// Documentation: *UIGraphicsGetCurrentContext()*. iOS 2.0.
public func UIGraphicsGetCurrentContext() -> CGContext? { contexts.last }
