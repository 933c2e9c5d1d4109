/// The kinds of the records of an app. The journal stores them; SDK and collector agree on them.
extension RecordKind {
  /// An event: its JSON, with `"contextId"` as its last member.
  public static let event = RecordKind(rawValue: 1)
  /// An event that is a breadcrumb as well (navigation, tap, lifecycle, network, log).
  public static let eventAndBreadcrumb = RecordKind(rawValue: 2)
  /// A context, which events name by its `contextId`: session, user, version, tags.
  public static let context = RecordKind(rawValue: 3)
  /// A breadcrumb that the app added itself, as the JSON of `Breadcrumb`. Not an event, and not counted as one.
  public static let breadcrumb = RecordKind(rawValue: 4)
  /// What the app and the system were like at a moment. For the next launch; not delivered, and not counted.
  public static let state = RecordKind(rawValue: 5)
  /// A hang that has not ended yet, or the note that it has. For the next launch; not delivered, and not counted.
  public static let provisionalHang = RecordKind(rawValue: 6)
  /// A request that has begun, or the note that it has ended. For the next launch; not delivered, and not counted.
  public static let provisionalRequest = RecordKind(rawValue: 9)

  /// Whether a receiver has a use for records of this kind; the others are for the next launch.
  public var isDelivered: Bool {
    self == .event || self == .eventAndBreadcrumb || self == .context || self == .breadcrumb
  }
}
