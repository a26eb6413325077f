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
    /// How long the command may take to end after a signal, in microseconds.
    private static let grace: UInt32 = 500_000

    @Argument(
        help: "The scanner: a configured name, a node, or vendor:product as 0c2e:0b61.")
    var scanner: String

    @Flag(help: "Grab the scanner, so that no other program gets its keys in the meantime.")
    var grab = false

    init() {}

    /// Makes the argument from a scanner that another option names.
    init(scanner: String, grabs: Bool) {
        self.scanner = scanner
        grab = grabs
    }

    /// Finds and opens the device; from now on `SIGINT` and `SIGTERM` end reading.
    func open(
        _ configuration: Configuration
    ) throws -> (choice: ScannerChoice, reader: RawReader) {
        let survey = DeviceSurvey(rules: configuration.readerConfiguration.rules)
        let choice = try ScannerChoice(
            survey.node(at: scanner) ?? scanner, in: configuration, among: survey.devices())
        let reader = try RawReader(
            paths: choice.nodes, grabs: grab, serial: choice.scanner.serialSettings)
        if let warning = choice.warning { StandardError.write(warning) }
        let stop = reader.stop
        try EndingSignals.watch { number in
            stop()
            // The command may be blocked writing to a program that does not read.
            usleep(Self.grace)
            _exit(128 + number)
        }
        return (choice, reader)
    }
}

extension RawReader {
    /// Calls `body` with the events as they arrive, until a signal arrives or the time is over.
    ///
    /// Also calls it without events once the time from `wakeUp` has come.
    ///
    /// - Returns: Whether reading ended because the device is gone.
    /// - Throws: Errors of `body`, or the reason why the device cannot be read.
    func forEach(
        until deadline: Int64? = nil, wakeUp: () -> Int64? = { nil },
        _ body: ([DeviceEvent]) throws -> Void
    ) throws -> Bool {
        while deadline.map({ now < $0 }) ?? true {
            let next = [deadline, wakeUp()].compactMap(\.self).min()
            let limit = next.map { Duration.microseconds(max(0, $0 - now)) }
            let arrived: [DeviceEvent]
            do {
                guard let events = try events(within: limit) else { return false }
                arrived = events
            } catch {
                guard error.errno == ENODEV else { throw error }
                return true
            }
            try body(arrived)
        }
        return false
    }
}
