/// Where events go.
package enum SinkConfiguration: Equatable, Sendable {
    /// How an event is written.
    package enum Format: String, CaseIterable, Sendable {
        /// One CloudEvents JSON object per line.
        case json
        /// The code alone, one per line.
        case text
        /// Tab-separated columns.
        case tsv
        /// Aligned columns for people.
        case pretty
    }

    /// Standard output; without a format, `pretty` on a terminal and else `json`; at once, or once
    /// an event is in the journal.
    case stdout(format: Format?, isAfterJournal: Bool = false)

    /// Whether the sink reads the journal.
    package var readsJournal: Bool {
        switch self {
        case .stdout(_, let isAfterJournal): isAfterJournal
        }
    }
}
