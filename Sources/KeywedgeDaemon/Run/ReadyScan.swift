import Events
import Keystrokes
import WireText

/// The event of a scan that is ready but for the last key.
struct ReadyScan: Sendable {
    /// How long it is good for, in microseconds: what was looked up is not to be told much later.
    static let lifetime: Int64 = 250_000

    private let scanner: String
    private let scan: Scan
    private let year: Int
    private let madeMicroseconds: Int64
    private let template: EventTemplate

    /// Makes it.
    ///
    /// - Parameters:
    ///   - event: The event of the scan as far as it has come; nil is returned where it has none of
    ///     the fields a scan has.
    ///   - scan: The scan as far as it has come.
    ///   - scanner: The name of its scanner.
    ///   - made: What the monotonic clock showed before the product was looked up.
    init?(_ event: Event, for scan: Scan, from scanner: String, madeAt made: Int64) {
        guard let template = EventTemplate(event, open: KeystrokeSpan.field) else { return nil }
        self.template = template
        self.scanner = scanner
        self.scan = scan
        year = event.time.year
        madeMicroseconds = made
    }

    /// The event's line.
    ///
    /// - Parameters:
    ///   - whole: The scan that came.
    ///   - scanner: The name of its scanner.
    ///   - time: When its last key came.
    ///   - now: What the monotonic clock shows.
    /// - Returns: The line; nil where another scan came than the one that is ready, or too late.
    func line(
        for whole: Scan, from scanner: String, at time: EventTime, now: Int64
    ) -> [UInt8]? {
        guard now - madeMicroseconds <= Self.lifetime, scanner == self.scanner,
            isBegin(of: whole), time.year == year
        else { return nil }
        return template.line(at: time, whole.span.append)
    }

    /// Whether a scan is this one and its terminator: what an event says of a scan besides its time
    /// and its keystrokes follows from what is compared here.
    private func isBegin(of whole: Scan) -> Bool {
        whole.startMicroseconds == scan.startMicroseconds
            && whole.features == scan.features && whole.text.isIdentical(to: scan.text)
            && whole.aim == scan.aim && whole.codeIdentifier == scan.codeIdentifier
    }
}
