/// All tools, in the order in which a model is told of them.
enum Toolbox {
  static let reading: [Tool] = [
    .listApps, .findSessions, .getSession, .timeline, .listRequests, .getRequest, .listIssues, .getIssue, .searchLogs,
    .screenPicture, .screenWireframe, .compareSessions, .compareVersions, .appHealth, .listAsks,
    .bytesSaved, .sendingRules, .trySendingRules,
  ]
  static let commanding: [Tool] = [.listListeningApps, .queryDatabase, .readDefaults, .addMockRule, .askDevices]

  static func tools(withCommands: Bool) -> [Tool] { withCommands ? reading + commanding : reading }
}
