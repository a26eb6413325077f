import ArgumentParser
import Journal
import KeywedgeConfiguration
import WireText

struct JournalForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Drop the events that wait for a sink that is no longer configured.",
        discussion: """
            A sink that was renamed or removed leaves its place in the journal behind, with the events \
            that it has not sent. Another sink can send them (journal replay). This command forgets the \
            place. The events themselves stay in the journal for the other sinks.

            Example:
              keywedge journal forget erp
            """)

    @Argument(help: "The sink, by the name that it had in the configuration.")
    var sink: String

    @OptionGroup var journalOption: JournalOption

    func run() async throws {
        let configuration = try journalOption.configurationOption.load()
        guard !configuration.events.contains(where: { $0.durableName == sink }) else {
            throw Failure(
                "the sink \(sink.quoted()) is configured; expected one that is not any more")
        }
        let journal = try journalOption.open()
        guard let lag = try orFail({ try journal.survey() }).readers[.sink(sink)] else {
            throw Failure("the journal knows no sink \(sink.quoted())")
        }
        try orFail { try journal.forget(.sink(sink)) }
        let events = Int(lag.events).counted("event no longer waits", "events no longer wait")
        StandardError.write("keywedge: \(events) for \(sink.quoted())")
    }
}
