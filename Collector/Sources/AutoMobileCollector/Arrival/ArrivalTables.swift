/// In which order what collectors took in came into a store that they share. Empty where each has an index of its own: there the numbers
/// of events are their order.
enum ArrivalTables {
  static let sql = """
    CREATE TABLE arrival(
      -- Behind everything that came before: places of all rows follow each other, without a gap.
      place INTEGER PRIMARY KEY,
      -- A collector, by its number, and numbers of records of its log: above the first, up to the last. All of them are there.
      writer INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
      at INTEGER NOT NULL);
    CREATE INDEX arrival_writer ON arrival(writer, last);
    CREATE INDEX arrival_last ON arrival(last);
    """
}
