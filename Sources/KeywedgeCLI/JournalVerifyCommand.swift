import ArgumentParser
import Journal
import WireText

struct JournalVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that no event is missing and none has changed since it was written.",
        discussion: """
            Every event has a hash, and the number of the event before. Findings are printed one a line; \
            with any, the exit code is 1.

            Example:
              keywedge journal verify
            """)

    @OptionGroup var journalOption: JournalOption

    func run() async throws {
        let journal = try journalOption.open()
        var findings = 0
        let count = try orFail {
            try journal.verify { finding in
                findings += 1
                print(finding)
            }
        }
        guard findings == 0 else {
            throw Failure(
                "\(findings.counted("finding")) in \(count.counted("event")); the daemon puts a damaged "
                    + "journal aside by itself and goes on with what can be read of it")
        }
        StandardError.write("keywedge: \(count.counted("event")), each as it was written")
    }
}
