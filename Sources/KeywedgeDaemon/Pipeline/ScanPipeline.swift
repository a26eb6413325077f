package import Barcodes
package import Catalog
package import Events
package import Keystrokes
package import KeywedgeConfiguration
package import ScannerInput
import Synchronization
package import WireText

/// A pipeline that decodes scans, looks up products, and turns the results into events.
///
/// A reload can replace ``parts`` at any time.
package final class ScanPipeline: Sendable {
    /// The parts of the pipeline that depend on the configuration.
    package struct Parts: Sendable {
        let decoders: PerScanner<BarcodeDecoder>
        package let sources: CatalogSources
        let layouts: LayoutAdvisor?
        let hidden: HiddenContent
        let feedback: PerScanner<FeedbackConfiguration>

        /// Creates the parts of a pipeline; if `layouts` is nil, scans are not compared with other layouts.
        package init(
            of configuration: Configuration, sources: CatalogSources,
            layouts: LayoutAdvisor.Compiling? = .aside
        ) {
            decoders = PerScanner(configuration) { configuration.decoder(for: $0) }
            self.sources = sources
            self.layouts = layouts.map {
                LayoutAdvisor(configuration: configuration, compiling: $0)
            }
            hidden = configuration.hide
            feedback = PerScanner(configuration, \.feedback)
        }
    }

    private let current: Mutex<Parts>
    private let eventTimes: EventTimes

    /// The source of event times.
    ///
    /// An event's year determines the century of two-digit years; if it is unknown, `date` fields are omitted. Events
    /// contain the duration of their lookup only with ``systemClock``, because replays must be reproducible.
    package enum EventTimes: Sendable {
        /// The system clock, which may not be set yet.
        case systemClock
        case recording(hasDates: Bool)
    }

    package init(_ parts: Parts, times: EventTimes = .systemClock) {
        current = Mutex(parts)
        eventTimes = times
    }

    /// The parts that depend on the configuration; a change does not affect scans being processed.
    package var parts: Parts {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Returns the event for a complete scan.
    ///
    /// `time` is the time of the scan's last key. `detector` remembers the scanner's previous scans, because a document
    /// can span several scans. Personal content produces a `keywedge.scan.redacted` event without the text; other
    /// content produces a `keywedge.scan` event.
    nonisolated(nonsending) package func draft(
        for scan: Scan, from scanner: ScannerLabel, at time: EventTime,
        detector: inout SensitiveContentDetector
    ) async -> EventDraft {
        let parts = parts
        let decoded = parts.decoders[scanner.settingsName].decode(scan.text, aim: scan.aim)
        detector.hidden = parts.hidden
        let times = (scan.startMicroseconds, scan.endMicroseconds)
        if let sensitive = detector.inspect(decoded, at: times) {
            return EventDraft(
                .scanRedacted, scanner: scanner.name, time: time,
                data: sensitive.data(from: scanner, keystrokes: scan.keystrokes))
        }
        let start = ContinuousClock.now
        let answer = await parts.sources.lookup(decoded)
        let took = eventTimes.isSystemClock ? start.duration(to: .now) : nil
        let lookup = answer.priced(at: time.microsecondsSince1970)
        let barcode = lookup.status == .found ? decoded.listed : decoded
        var data = JSONObject(capacity: 16)
        data.appendNew("scanner", .object(scanner.data))
        if let identifier = scan.codeIdentifier {
            data.appendNew("code_identifier", .string(identifier))
        }
        let layout = parts.layouts?.finding(in: scan, from: scanner)
        barcode.append(
            to: &data, seenFrom: eventTimes.year(of: time),
            adding: [layout?.data, scan.rapidLines].compactMap(\.self))
        data.appendNew("keystrokes", scan.keystrokes)
        lookup.append(to: &data, took: took)
        let isRapidLine = scan.features.contains(.rapidLine)
        let isClockSet = eventTimes.isClockSet(at: time)
        if let charge = Charge(
            barcode, lookup, isClockSet: isClockSet, isRapidLine: isRapidLine)
        {
            data.appendNew("charge", charge.data)
        }
        return EventDraft(
            .scan, scanner: scanner.name, time: time, content: scan.text, data: data)
    }

    /// Returns the signal that the scanner should give after an event, such as a beep; nil for none.
    package func signal(after draft: EventDraft, from scanner: ScannerLabel) -> ScannerSignal? {
        let feedback = parts.feedback[scanner.settingsName]
        switch (draft.type, draft.data["lookup"]?.object?["status"]?.string) {
        // A repeat of the previous code is not an error, because the first scan succeeded.
        case (.scanRejected, _)
        where draft.data["reason"]?.string == Rejection.Reason.repeated.rawValue:
            return nil
        case (.scanRejected, _): return feedback.rejected.scannerSignal
        case (.scan, LookupResult.Status.found.rawValue): return feedback.found.scannerSignal
        case (.scan, LookupResult.Status.notFound.rawValue):
            return feedback.notFound.scannerSignal
        default: return nil
        }
    }

    /// Returns the event for a rejection; for personal content, this is a `keywedge.scan.redacted` event.
    package func draft(
        for rejection: Rejection, from scanner: ScannerLabel, at time: EventTime,
        detector: inout SensitiveContentDetector
    ) -> EventDraft {
        detector.hidden = parts.hidden
        let times = (rejection.startMicroseconds, rejection.endMicroseconds)
        if let sensitive = detector.inspectFragment(rejection.text, at: times) {
            return EventDraft(
                .scanRedacted, scanner: scanner.name, time: time,
                data: sensitive.data(from: scanner, keystrokes: rejection.keystrokes))
        }
        var data = JSONObject(capacity: 6)
        data.appendNew("scanner", .object(scanner.data))
        let layout = parts.layouts?.finding(in: rejection, from: scanner)
        rejection.append(to: &data, adding: rejection.key?.altNumber?.data ?? layout?.data)
        return EventDraft(
            .scanRejected, scanner: scanner.name, time: time,
            content: rejection.reason.rawValue + rejection.text, data: data)
    }
}

extension ScanPipeline.EventTimes {
    fileprivate var isSystemClock: Bool { if case .systemClock = self { true } else { false } }

    /// Returns the year of an event; nil for a recording without dates.
    fileprivate func year(of time: EventTime) -> Int? {
        switch self {
        case .systemClock: time.plausibleYear
        case .recording(let hasDates): hasDates ? time.year : nil
        }
    }

    /// Returns whether the clock was set when the event occurred; always true for recordings.
    fileprivate func isClockSet(at time: EventTime) -> Bool {
        !(isSystemClock && time.isFromUnsetClock)
    }
}

package struct ScannerLabel: Hashable, Sendable {
    /// The scanner's unique name in events.
    package var name: String
    /// The name of the configured scanner whose settings apply; nil for an unconfigured scanner.
    package var settingsName: String?
    /// The device's identity; nil if it is unknown, as in some recordings.
    package var identity: DeviceIdentity?
    package var interface: ScannerInterface.Kind

    package init(
        name: String, settingsName: String?, identity: DeviceIdentity? = nil,
        interface: ScannerInterface.Kind = .keyboard
    ) {
        self.name = name
        self.settingsName = settingsName
        self.identity = identity
        self.interface = interface
    }

    /// The value of an event's `scanner` field.
    package var data: JSONObject {
        var data = JSONObject(capacity: 4)
        data.appendNew("name", .string(name))
        data.appendNew("interface", .string(interface.rawValue))
        if let identity {
            data.appendNew("vendor", .string(identity.vendor.fourHexDigits))
            data.appendNew("product", .string(identity.product.fourHexDigits))
        }
        return data
    }
}

/// A value for each configured scanner, and one that all other scanners share.
struct PerScanner<Value: Sendable>: Sendable {
    private let configured: [String: Value]
    private let others: Value

    /// Calls `value` once for each configured scanner, and once for the value that all other scanners share.
    ///
    /// The shared value is made from the scanner without `match` or, without such a scanner, from the default settings.
    init(_ configuration: Configuration, _ value: (ScannerConfiguration) -> Value) {
        configured = Dictionary(
            configuration.scanners.map { ($0.name, value($0)) }, uniquingKeysWith: { $1 })
        others = value(configuration.automaticScanner)
    }

    /// The value for the configured scanner with this name, or else the shared value.
    subscript(settingsName: String?) -> Value {
        settingsName.flatMap { configured[$0] } ?? others
    }
}
