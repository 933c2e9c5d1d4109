import Hummingbird

/// `/api/searches`: searches with a name, shared by everyone who looks.
struct SearchRoutes: Sendable {
  let searches: SavedSearches
  let bodies: SmallBodies

  func add(to routes: RouteTable) {
    routes.get("/api/searches", for: .reader) { _, _, scope in try await list(scope) }
    routes.post("/api/searches", for: .fullReader) { request, context, scope in
      let body = try await bodies.json(request, maximumDepth: 4)
      let id = try await searches.save(
        name: Self.name(body), address: Self.address(body), by: context.author(request), at: WallClock.now)
      return JSONOutput.ok { $0.member("id", id) }
    }
    routes.put("/api/searches/{id}", for: .fullReader) { request, context, scope in
      let body = try await bodies.json(request, maximumDepth: 4)
      try await searches.rename(context.number, to: Self.name(body), by: context.author(request), at: WallClock.now)
      return JSONOutput.ok()
    }
    routes.delete("/api/searches/{id}", for: .fullReader) { _, context, scope in
      try await searches.delete(context.number)
      return JSONOutput.ok()
    }
  }

  private func list(_ scope: ReadScope) async throws -> Response {
    // What they look for tells of the data of all: who sees one project has none.
    let all = scope.seesEverything ? try await searches.all(scope) : []
    var json = JSONOutput()
    json.object {
      $0.array("searches") {
        for search in all {
          $0.object {
            $0.member("id", search.id)
            $0.member("name", search.name)
            $0.member("address", search.address)
            $0.member("changedAt", search.changedAt)
            $0.member("changedBy", search.changedBy)
          }
        }
      }
    }
    return json.response()
  }

  private static func name(_ body: JSONTree) throws -> String {
    let name = body["name"]?.string ?? ""
    guard (1...SavedSearches.longestName).contains(name.count), name.utf8.count <= 8 * SavedSearches.longestName,
      name.contains(where: { !$0.isWhitespace }),
      !name.hasControlCharacters
    else { throw APIError.badRequest("invalid_name", "name must have 1 to \(SavedSearches.longestName) characters") }
    return name
  }

  /// A place in the viewer: never another page, let alone a script.
  private static func address(_ body: JSONTree) throws -> String {
    let address = body["address"]?.string ?? ""
    guard address.hasPrefix("#/"), address.utf8.count <= SavedSearches.longestAddress,
      address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else {
      throw APIError.badRequest(
        "invalid_address",
        "address must be a place in the viewer, #/…, of up to \(SavedSearches.longestAddress) bytes without spaces")
    }
    return address
  }
}
