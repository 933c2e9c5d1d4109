extension APIDescription {
  static func replayIngest(_ limits: CollectorLimits) -> Subject {
    Subject(
      name: "replay ingest",
      about: "What a recorder of replays asks, and where it sends: announced (presign), put, and said to be whole.",
      operations: [
        .get(
          "/api/sdk/config", "getReplayPolicy", "What an app may record of its screen.", takes: [bundle],
          answers: [.json(.object(policy))]),
        .post(
          "/api/ingest/auth/device", "authorizeDevice", "Gives out an upload token, good for an hour.", takes: [bundle],
          sends: body([.has("deviceId", name)], ["deviceId": "3F2A51C0"]),
          answers: [.ok([.has("uploadToken", .text), .has("expiresIn", .count, "Seconds.")])]),
        .post(
          "/api/ingest/segment/presign", "announceSegment", "Announces a segment.", takes: [bundle],
          sends: body(announcement, nil),
          answers: [
            .ok([
              .has("segmentId", .text),
              .may(
                "uploadUrl", .text, "Where its body goes, as it is: behind a balancer with what was announced in it."),
              .may("skipUpload", .flag, "It is here already."), .may("reason", .text),
            ])
          ],
          refuses: [
            Refusal(402, "quota_exceeded", "the app's replays have reached their quota"),
            Refusal(403, "recording_disabled", "replays are switched off for this app"), otherReplay,
            Refusal(409, "session_closed", "the replay ended before this segment began"),
          ]),
        .put(
          "/api/ingest/segment/{id}", "putSegment", "Brings the body of an announced segment.",
          takes: [
            .path("id", segmentID, "The `segmentId` that was announced."),
            .query("announced", .text, "As it stands in `uploadUrl`."), bundle,
          ],
          sends: .file("application/gzip", most: Int64(limits.bodyBytes), "The segment, as gzip."),
          answers: [.nothing(204, "It is kept, or was here already.")],
          refuses: [
            unknown, .stored, Refusal(400, "hash_mismatch", "it is not what was announced"),
            Refusal(400, "newer_frame_format", "the frames are of a version that this collector does not read"),
          ]),
        .post(
          "/api/ingest/segment/complete", "completeSegment", "Says that a segment is whole.", takes: [bundle],
          sends: body(
            [.has("segmentId", segmentID), .may("actualSizeBytes", .count)],
            ["segmentId": "00112233445566778899aabbccddeeff"]),
          answers: [.ok([.has("success", .flag), .may("alreadyCompleted", .flag)])],
          refuses: [unknown, Refusal(400, "invalid_actualSizeBytes", "another number of bytes arrived")]),
        .post(
          "/api/ingest/session/end", "endReplay", "Says that a replay ended.", takes: [bundle], sends: body(end, nil),
          answers: [
            .ok([.may("durationSeconds", .integer), .may("ignored", .flag), .may("reason", .text)])
          ]),
        .post(
          "/api/ingest/fault", "reportFault", "Tells of a fault while a replay was recorded.", takes: [bundle],
          sends: body(fault, nil), answers: [.ok([.may("deduplicated", .flag, "It was told before.")])]),
      ])
  }

  private static let bundle = Parameter.header("X-Bundle-Id", .text, "The app; with its own key it can be left out.")
  private static let unknown = Refusal.unknown("unknown_segment", "it was not announced, or has not arrived")
  private static let otherReplay = Refusal(403, "wrong_replay", "the segment belongs to another replay")
  private static let name = Shape.text.least(1).most(ReplaySegment.maximumName)
  private static let segmentID = Shape.text.matching("^[0-9a-f]{32}$")
  private static let moment = Shape.integer.from(0, to: ReplayTimes.most)
  private static let telemetry = Member.may(
    "telemetrySessionIds", .list(of: .text), "The sessions that it shows; the first fifty.")

  private static func body(_ members: [Member], _ example: DocumentValue?) -> Body {
    .json(.object(members), most: ReplayIngestRoutes.bodyBytes, example: example)
  }

  private static let policy: [Member] = [
    .has("recordingEnabled", .flag), .has("sampleRate", .number, "In percent."), .has("recordingFps", .number),
    .has("maxRecordingMinutes", .number), .has("textInputMasking", .choice(["all", "secure_only"])),
    .has("imageVideoMasking", .choice(["none", "all"])), .has("billingBlocked", .flag, "The quota is used up."),
    .has("disabled", .flag), .may("reason", .text),
  ]

  private static let announcement: [Member] = [
    .has("sessionId", name, "Of the replay."), .has("segmentId", segmentID), .has("kind", segmentKind),
    .has("startTime", moment), .has("endTime", moment, "At startTime or up to a day later."),
    .has("frameCount", .integer.from(0, to: 1_000_000)), .has("sizeBytes", .integer.from(1), "Of the gzip body."),
    .may("compression", .choice(["gzip"])),
    .may("contentHash", .text.matching("^[0-9a-fA-F]{64}$").orNull, "SHA-256 of the content before it was compressed."),
    telemetry, .may("continues", segmentID.orNull, "The segment of which it is a further part."),
  ]

  private static let end: [Member] = [
    .has("sessionId", name, "Of the replay."), .may("startedAt", .integer.orNull), .has("endedAt", moment),
    .may("totalBackgroundTimeMs", .integer.orNull), .may("endReason", .text.orNull),
    .may("closeAnchorAtMs", .integer.orNull, "The last moment that is sure to belong to it."),
    .may("metrics", .map(of: .number).orNull), telemetry,
  ]

  private static let fault: [Member] = [
    .has("incidentId", name), .may("sessionId", name.orNull, "Of the replay."), .has("timestampMs", moment),
    .has("category", .choice(ReplayFault.categories)), .may("identifier", .text.orNull), .may("detail", .text.orNull),
    .may("frames", .anything), .may("context", .anything),
  ]
}
