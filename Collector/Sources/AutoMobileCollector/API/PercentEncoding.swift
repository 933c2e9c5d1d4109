import Foundation

extension String {
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// For any place of an address: what needs no escape anywhere stays (RFC 3986, 2.3).
  var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "" }
}
