/// The names of C++ types as people write them: `St13runtime_error` is `std::runtime_error`.
enum CppTypeName {
  /// The name itself when it is mangled in a way that is not understood: templates, for example.
  static func plain(_ mangled: String) -> String {
    var rest = Substring(mangled)
    var parts: [String] = []
    let isNested = rest.hasPrefix("N")
    if isNested { rest = rest.dropFirst() }
    if rest.hasPrefix("St") {
      parts.append("std")
      rest = rest.dropFirst(2)
    }
    while let first = rest.first, first.isASCII, first.isNumber {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard let length = Int(digits), length > 0, length <= rest.utf8.count else { return mangled }
      let name = String(decoding: rest.utf8.prefix(length), as: UTF8.self)
      parts.append(name == "_GLOBAL__N_1" ? "(anonymous namespace)" : name)
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: length)...]
      if !isNested { break }
    }
    if isNested, rest == "E" { rest = "" }
    return rest.isEmpty && parts.last.map { $0 != "std" } ?? false ? parts.joined(separator: "::") : mangled
  }
}
