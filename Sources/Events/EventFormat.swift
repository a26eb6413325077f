/// What a line of output is like; the values of `--format`.
public enum EventFormat: String, CaseIterable, Sendable {
    /// The event itself, one JSON object a line.
    case json

    /// The code alone, one a line; nothing for events that are no scan.
    case text

    /// Columns with a tab between them, see ``EventColumn``.
    case tsv

    /// Aligned columns for a person at a terminal.
    case pretty
}
