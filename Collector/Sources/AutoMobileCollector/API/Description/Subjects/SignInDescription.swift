extension APIDescription {
  static let signIn = Subject(
    name: "sign-in", about: "How people sign in to the viewer, without a key. Programs use keys.",
    operations: [
      .get(
        "/api/sign-in", "getSignIn", "Which ways in there are, and who is signed in here.",
        answers: [
          .json(.named("SignInState"))
        ]),
      .post(
        "/api/sign-in", "signIn", "Signs somebody in with the token of a link, which is used up by that.",
        "The answer sets a cookie that no script can read. The request must come from the viewer's page.",
        takes: [viewer], sends: body([.has("token", .text.most(200))], ["token": "…"]),
        answers: [.json(.named("SignInState"))],
        refuses: [
          Refusal(401, "wrong_link", "the link was used, has expired, or never was"), .notFromViewer,
          Refusal(429, "too_many_attempts", "too many sign-ins went wrong, from this address or in all"),
        ]),
      .post(
        "/api/sign-in/provider", "leaveForProvider",
        "Says where the browser goes to sign in with the identity provider.",
        "OpenID Connect: authorization code with PKCE. The answer sets a cookie that comes back with the browser.",
        takes: [viewer],
        sends: body([.may("place", .text.most(500), "Where in the viewer to go afterwards.")], ["place": "#/issues"]),
        answers: [.ok([.has("url", .text)])],
        refuses: [
          .notFromViewer, .unknown("no_provider", "the collector was started without an identity provider"),
          Refusal(429, "too_many_attempts", "too many sign-ins went wrong, from this address or in all"),
          Refusal(502, "provider_unavailable", "the identity provider cannot be asked: the message says why"),
        ]),
      .get(
        "/sign-in/callback", "arriveFromProvider", "Where the identity provider sends the browser back to.",
        takes: [
          .query("code", .text, "With which the collector asks who somebody is."),
          .query("state", .text, "Of the sign-in that was begun."), .query("iss", .text, "The provider (RFC 9207)."),
          .query("error", .text, "Why there is no code."),
        ],
        answers: [.nothing(303, "To the viewer, or to its sign-in page, which says what went wrong.")]),
      .post(
        "/api/sign-out", "signOut", "Ends the session that asks, another one of the same person, or all of theirs.",
        takes: [viewer],
        sends: body([.may("session", .integer), .may("everywhere", .flag.standard(false))], ["everywhere": true]),
        answers: [.ok([.has("ended", .count)])], refuses: [.notFromViewer]),
      .get(
        "/sign-in", "getSignInPage", "The viewer's page, where somebody wants to sign in.", takes: [.ifNoneMatch],
        answers: [
          Answer.file("text/html", "The page.", headers: [.eTag]), .nothing(304, "It is still the same.").with(.eTag),
        ]),
      .get(
        "/api/sign-ins", "listSignIns", "Everybody who is signed in.",
        answers: [.json(.object([.has("sessions", .list(of: .named("SignIn")))]))]),
      .delete(
        "/api/sign-ins/{id}", "endSignIn", "Signs somebody out.", takes: [.number, .author], answers: [.ok()],
        refuses: [.unknown("no_sign_in", "nobody is signed in with this number")]),
      .post(
        "/api/sign-in/links", "createSignInLink",
        "Makes a link with which somebody signs in once. This is the only time that it is given out.",
        takes: [.author],
        sends: body(
          [
            .may("role", .choice(Grant.Role.allCases.map(\.rawValue)).standard("viewer")),
            .may("project", .text, "The bundle id of a project; none: all."),
            .may("name", .text.least(1).most(Person.longestName), "Whom it is for."),
            .may(
              "minutes",
              .integer.from(1, to: SignInLinks.mostMinutes).standard(.number(SignInLinks.minutes)),
              "How long it works."),
          ], ["role": "viewer", "name": "Mira"]),
        answers: [
          .ok([
            .has("path", .text, "What follows the collector's address."),
            .has("url", .text.orNull, "The whole link, where the collector knows its public address."),
            .has("name", .text), .has("endsAt", .time),
          ])
        ], refuses: [.noProject, .tooMany]),
    ],
    schemas: [
      .init(
        "SignInState",
        .object([
          .has("asksForKeys", .flag, "Whether one must be signed in, or have a key."),
          .has("provider", .text.orNull, "The identity provider's host."),
          .has("session", .named("SignIn").orNull, "Who asks; null: nobody who has signed in."),
          .has("sessions", .list(of: .named("SignIn")), "Where the same person is signed in."),
        ])),
      .init(
        "SignIn",
        .object([
          .has("id", .integer), .has("name", .text),
          .has("issuer", .text, "Who vouches for them: link, or an address."),
          .has("subject", .text, "By which the issuer knows them."),
          .has(
            "grants",
            .list(
              of: .object([
                .has("role", .choice(Grant.Role.allCases.map(\.rawValue))),
                .has("project", .text.orNull, "Null: all projects."),
              ]))), .has("createdAt", .time), .has("lastSeenAt", .time),
          .has("endsAt", .time, "When it is over, unless they are seen again before."), .has("address", .text.orNull),
          .has("browser", .text.orNull),
        ])),
    ])

  private static let viewer = Parameter.header(
    "X-AutoMobile-Viewer", .text, "That the viewer's own page asks: no form and no link can send it.")

  private static func body(_ members: [Member], _ example: DocumentValue) -> Body {
    .json(.object(members), most: SmallBodies.ofSettings, example: example)
  }
}

extension APIDescription.Refusal {
  static let notFromViewer = Self(403, "not_from_viewer", "something else than the viewer's own page asks")
}
