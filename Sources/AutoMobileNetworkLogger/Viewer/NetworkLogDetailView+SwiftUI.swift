#if canImport(SwiftUI)
import AutoMobileHTTP
import AutoMobileNetworkLog
import SwiftUI

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// One exchange: what was asked, what came back, where the time went.
@MainActor
struct NetworkLogDetailView: View {
  let log: NetworkLog
  let id: NetworkLogEntry.ID
  @State private var detail: NetworkLogDetail?
  @State private var isGone = false

  var body: some View {
    Group {
      if let detail {
        NetworkLogDetailPage(detail: detail)
      } else if isGone {
        Text("This request is no longer in the log.").foregroundColor(.secondary)
      } else {
        ProgressView()
      }
    }
    .task {
      let loaded = await BackgroundReader(log).read { [id] log in
        log.exchange(id).map {
          NetworkLogDetail($0, frames: log.frames(of: $0), isUnderWay: log.isUnderWay(id))
        }
      }
      detail = loaded
      isGone = loaded == nil
    }
  }
}

@MainActor
private struct NetworkLogDetailPage: View {
  let detail: NetworkLogDetail
  @State private var shared: SharedItem?

  var body: some View {
    List {
      Section { ForEach(detail.summary) { NetworkLogLine(line: $0) } }
      if !detail.bars.isEmpty { Section("Timing") { ForEach(detail.bars) { NetworkLogBar(bar: $0) } } }
      NetworkLogMessage(title: "Request", message: detail.request)
      NetworkLogMessage(title: "Response", message: detail.response)
      if !detail.frames.isEmpty {
        Section("WebSocket") {
          ForEach(Array(detail.frames.enumerated()), id: \.offset) { _, frame in
            Text("\(frame.direction.rawValue) \(frame.kind.rawValue) \(frame.payload?.text ?? "")")
              .font(.caption.monospaced()).lineLimit(4)
          }
        }
      }
    }
    .navigationTitle(detail.exchange.path ?? detail.exchange.url)
    .toolbar {
      Menu {
        Button("Copy as cURL") { Clipboard.copy(detail.curl) }
        Button("Copy as text") { Clipboard.copy(detail.text) }
        #if canImport(UIKit)
        Button("Share as text") { shared = SharedItem(value: detail.text) }
        Button("Share as HAR") { shared = (try? detail.archive()).map { SharedItem(value: $0) } }
        #endif
      } label: {
        Image(systemName: "square.and.arrow.up")
      }
    }
    #if canImport(UIKit)
    .sheet(item: $shared) { ShareSheet(item: $0.value) }
    #endif
  }
}

@MainActor
private struct NetworkLogLine: View {
  let line: NetworkLogDetail.Line

  var body: some View {
    VStack(alignment: .leading, spacing: 2) {
      Text(line.name).font(.caption).foregroundColor(.secondary)
      Text(line.value).font(.callout).textSelection(.enabled)
    }
  }
}

@MainActor
private struct NetworkLogBar: View {
  let bar: NetworkLogDetail.Bar

  var body: some View {
    HStack {
      Text(bar.name.rawValue).font(.caption).frame(width: 64, alignment: .leading)
      GeometryReader { area in
        Capsule().fill(Color.accentColor)
          .frame(width: max(2, area.size.width * bar.length), height: 8)
          .offset(x: area.size.width * bar.start, y: (area.size.height - 8) / 2)
      }
      Text(bar.duration).font(.caption.monospacedDigit()).frame(width: 64, alignment: .trailing)
    }
  }
}

@MainActor
private struct NetworkLogMessage: View {
  let title: String
  let message: NetworkLogDetail.Message

  var body: some View {
    if !message.headers.isEmpty {
      Section("\(title) headers") { ForEach(message.headers) { NetworkLogLine(line: $0) } }
    }
    if message.body.kind != .none || message.body.remark != nil {
      Section("\(title) body") {
        if let picture {
          picture.resizable().scaledToFit().frame(maxHeight: 320)
        } else {
          Text(message.body.text).font(.caption.monospaced()).textSelection(.enabled)
        }
        if let remark = message.body.remark { Text(remark).font(.caption).foregroundColor(.secondary) }
      }
    }
  }

  private var picture: Image? {
    #if canImport(UIKit)
    message.image.flatMap { UIImage(data: $0) }.map { Image(uiImage: $0) }
    #else
    message.image.flatMap { NSImage(data: $0) }.map { Image(nsImage: $0) }
    #endif
  }
}

@MainActor
private enum Clipboard {
  static func copy(_ text: String) {
    #if canImport(UIKit)
    UIPasteboard.general.string = text
    #else
    NSPasteboard.general.clearContents()
    NSPasteboard.general.setString(text, forType: .string)
    #endif
  }
}

private struct SharedItem: Identifiable {
  let id = UUID()
  let value: Any
}

#if canImport(UIKit)
/// There is no `ShareLink` before iOS 16.
@MainActor
private struct ShareSheet: UIViewControllerRepresentable {
  let item: Any

  func makeUIViewController(context: Context) -> UIActivityViewController {
    UIActivityViewController(activityItems: [item], applicationActivities: nil)
  }

  func updateUIViewController(_ controller: UIActivityViewController, context: Context) {}
}
#endif
#endif
