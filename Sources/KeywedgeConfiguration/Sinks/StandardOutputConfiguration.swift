package import Events
import WireText
import Yams

/// The settings of the sink that writes events to standard output.
package struct StandardOutputConfiguration: SinkKind {
    package static let kind = "stdout"

    /// The format; nil for `pretty` on a terminal and `json` elsewhere.
    package var format: EventFormat?
    package var readsJournal = false

    package var connected: String { "nothing to try" }

    static let section = Section(kind, Self()) {
        Setting(
            "format", \.format, .choice,
            "json (one CloudEvents object a line), text, tsv or pretty; without it pretty on a "
                + "terminal and else json.")
        Setting(
            "after", \.readsJournal, .only("journal"),
            "journal: an event is written once it is on the disk; without it, at once.")
    }
}

extension Configuration {
    /// The settings of standard output; nil if it receives no events.
    package var standardOutput: StandardOutputConfiguration? {
        events.lazy.compactMap { $0.settings as? StandardOutputConfiguration }.first
    }
}
