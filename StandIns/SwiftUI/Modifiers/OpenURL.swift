import Foundation

extension View {
  /// Documentation: *onOpenURL(perform:)*. iOS 14.0.
  nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
    let action = Unshared(action)
    return Decorated(content: self) { node in node.openURL = action.value }
  }
}
