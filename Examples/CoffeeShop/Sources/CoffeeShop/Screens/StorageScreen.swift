import SwiftUI

/// What is on the device: the tables of databases, and settings.
struct StorageScreen: View {
  @State private var things = KeptThings()

  var body: some View {
    List {
      Section("Databases") {
        ForEach(things.tables) { table in
          Text("\(table.name) in \(table.database): \(table.rows) rows")
        }
        if things.tables.isEmpty { Text("No tables").foregroundColor(.secondary) }
      }
      Section("Settings") {
        ForEach(things.settings) { setting in
          HStack {
            Text(setting.key)
            Spacer()
            Text(setting.value)
          }
        }
        if things.settings.isEmpty { Text("Nothing is set").foregroundColor(.secondary) }
      }
    }
    .navigationTitle("Storage")
    .task { things = await KeptThings.read() }
  }
}
