import ArgumentParser
import Events
import Glibc
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import WireText

/// The argument `SCANNER`, and `--grab`.
struct ScannerArgument: ParsableArguments {
    /// How long the command may take to come to its end after a signal, in microseconds.
    private static let grace: UInt32 = 500_000

    @Argument(
        help: "A configured scanner's name, or a node, or vendor:product as 0c2e:0b61.")
    var scanner: String

    @Flag(help: "Take the scanner, so that nobody else gets its keys meanwhile.")
    var grab = false

    init() {}

    /// Names a scanner that another option was given for.
    init(scanner: String, grabs: Bool) {
        self.scanner = scanner
        grab = grabs
    }

    /// Finds the device that is meant and opens it; from now on `SIGINT` and `SIGTERM` end reading.
    func open(
        _ configuration: Configuration
    ) throws -> (choice: ScannerChoice, reader: RawReader) {
        try orFail {
            let survey = DeviceSurvey(rules: configuration.readerConfiguration.rules)
            let choice = try ScannerChoice(
                survey.node(at: scanner) ?? scanner, in: configuration, among: survey.devices())
            let reader = try RawReader(paths: choice.nodes, grabs: grab)
            if let warning = choice.warning { StandardError.write("keywedge: \(warning)") }
            let stop = reader.stop
            try EndingSignals.watch { number in
                stop()
                // It may be writing to somebody who does not read.
                usleep(Self.grace)
                _exit(128 + number)
            }
            return (choice, reader)
        }
    }
}

extension RawReader {
    /// Why reading ended.
    enum End: Error {
        /// Somebody wanted it to end, by a signal or by the time given.
        case asked
        /// The device is gone.
        case deviceGone
    }

    /// Calls `body` with what comes, and with nothing where the time for that has come.
    ///
    /// - Parameters:
    ///   - deadline: When to end, on the clock of the events; nil for never.
    ///   - wakeUp: When to call `body` although nothing came.
    ///   - body: Takes events.
    /// - Returns: Why it ended.
    /// - Throws: What `body` throws, or why the device cannot be read.
    func forEach(
        until deadline: Int64? = nil, wakeUp: () -> Int64? = { nil },
        _ body: ([KeyEvent]) throws -> Void
    ) throws -> End {
        while true {
            let next = [deadline, wakeUp()].compactMap(\.self).min()
            let limit = next.map { Duration.microseconds(max(0, $0 - now)) }
            switch try read(within: limit) {
            case .success(let events): try body(events)
            case .failure(let end): return end
            }
            if let deadline, now >= deadline { return .asked }
        }
    }

    private func read(within limit: Duration?) throws -> Result<[KeyEvent], End> {
        do {
            return try events(within: limit).map(Result.success) ?? .failure(.asked)
        } catch  where error.errno == ENODEV {
            return .failure(.deviceGone)
        } catch {
            throw Failure(error)
        }
    }
}
