#if canImport(SwiftUI)
import AutoMobileNetworkLog
import SwiftUI

/// The network log: a list with search and filters, and a page for each exchange. Put it into a navigation view.
///
///     NavigationView { NetworkLogView(NetworkLog(directory)) }
@MainActor
public struct NetworkLogView: View {
  @StateObject private var observed: ObservedList

  public init(_ log: NetworkLog) {
    _observed = StateObject(wrappedValue: ObservedList(NetworkLogListModel(log)))
  }

  public var body: some View {
    let model = observed.model
    List {
      ForEach(model.rows) { row in
        NavigationLink(destination: NetworkLogDetailView(log: model.log, id: row.id)) { NetworkLogRow(row: row) }
      }
      if model.hasMore {
        ProgressView().frame(maxWidth: .infinity).onAppear { model.loadMore() }
      }
    }
    .listStyle(.plain)
    .searchable(text: observed.text, prompt: "URL, headers, body, tracer ID")
    .navigationTitle("\(model.statistics.count) requests")
    .toolbar {
      NetworkLogFilterMenu(
        filter: observed.filter, statistics: model.statistics, problem: model.problem, clear: model.clear)
    }
    .refreshable { @MainActor in model.reload() }
    .onAppear { model.appear() }
    .onDisappear { model.disappear() }
  }
}

/// Tells SwiftUI when the model has changed.
@MainActor
private final class ObservedList: ObservableObject {
  let model: NetworkLogListModel

  init(_ model: NetworkLogListModel) {
    self.model = model
    model.onChange = { [weak self] in self?.objectWillChange.send() }
  }

  var filter: Binding<NetworkLogFilter> {
    Binding(get: { @MainActor in self.model.filter }, set: { @MainActor in self.model.filter = $0 })
  }

  var text: Binding<String> {
    Binding(get: { @MainActor in self.model.filter.text }, set: { @MainActor in self.model.filter.text = $0 })
  }
}

@MainActor
private struct NetworkLogRow: View {
  let row: NetworkLogRowContent

  var body: some View {
    HStack(alignment: .top) {
      Text(row.status).font(.callout.monospacedDigit().bold()).foregroundColor(row.tone.color).frame(width: 48)
      VStack(alignment: .leading, spacing: 2) {
        Text(row.title).font(.callout).lineLimit(2)
        Text("\(row.method) \(row.host)").font(.caption).foregroundColor(.secondary).lineLimit(1)
        HStack {
          Text(row.startedAt, style: .time)
          Text(row.duration)
          Text(row.size)
          if let remark = row.remark { Text(remark).foregroundColor(.orange) }
          if row.isMocked { Text("mocked").foregroundColor(.purple) }
        }
        .font(.caption2).foregroundColor(.secondary)
      }
    }
  }
}

@MainActor
private struct NetworkLogFilterMenu: View {
  @Binding var filter: NetworkLogFilter
  let statistics: NetworkLogStatistics
  let problem: String?
  let clear: @MainActor () -> Void

  var body: some View {
    Menu {
      Toggle("Errors only", isOn: only(\.isError))
      Toggle("Mocked only", isOn: only(\.isMocked))
      Toggle("Unfinished only", isOn: unfinishedOnly)
      Section("Method") { toggles(statistics.byMethod.keys.sorted(), \.methods) }
      Section("Host") { toggles(statistics.hosts.prefix(20).map(\.name), \.hosts) }
      Button("All requests") { filter = NetworkLogFilter() }
      // A menu of its own, so that one touch does not do it.
      Menu {
        Button("Clear it for everyone") { clear() }
      } label: {
        Text("Clear log")
      }
      if let problem { Text(problem) }
    } label: {
      Image(systemName: filter.isEmpty ? "line.3.horizontal.decrease.circle" : "line.3.horizontal.decrease.circle.fill")
    }
  }

  private func only(_ chosen: WritableKeyPath<NetworkLogFilter, Bool?> & Sendable) -> Binding<Bool> {
    Binding(
      get: { @MainActor in filter[keyPath: chosen] == true },
      set: { @MainActor isOn in filter[keyPath: chosen] = isOn ? true : nil })
  }

  private var unfinishedOnly: Binding<Bool> {
    Binding(
      get: { @MainActor in filter.statusClasses == [.unfinished] },
      set: { @MainActor isOn in filter.statusClasses = isOn ? [.unfinished] : [] })
  }

  private func toggles(
    _ names: [String], _ chosen: WritableKeyPath<NetworkLogFilter, Set<String>> & Sendable
  ) -> some View {
    // What is chosen stays visible when it lets nothing through.
    ForEach(Set(names).union(filter[keyPath: chosen]).sorted(), id: \.self) { name in
      Toggle(
        name,
        isOn: Binding(
          get: { @MainActor in filter[keyPath: chosen].contains(name) },
          set: { @MainActor isOn in
            if isOn { filter[keyPath: chosen].insert(name) } else { filter[keyPath: chosen].remove(name) }
          }))
    }
  }
}

extension NetworkLogRowContent.Tone {
  var color: Color {
    switch self {
    case .success: .green
    case .redirection: .blue
    case .clientError: .orange
    case .serverError, .failure: .red
    case .neutral: .secondary
    }
  }
}
#endif
