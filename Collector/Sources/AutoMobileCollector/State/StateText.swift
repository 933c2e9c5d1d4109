extension String {
  /// As every store of the state can keep it: without the character NUL, which strangers may have sent.
  var keepable: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}
