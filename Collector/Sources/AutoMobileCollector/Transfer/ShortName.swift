/// What a session is called in the name of a file that people save: its first letters and digits, whatever else an app put
/// into its id.
public enum ShortName {
  public static func of(_ session: String) -> String {
    String(session.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(12))
  }
}
