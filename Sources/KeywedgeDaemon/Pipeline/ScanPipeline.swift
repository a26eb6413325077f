package import Barcodes
package import Catalog
package import Events
package import Keystrokes
package import KeywedgeConfiguration
import Synchronization
import WireText

/// Makes an event of what a scanner read: decodes it, looks it up, and puts it in words.
///
/// What a configuration says of that can be replaced while scans go through.
package final class ScanPipeline: Sendable {
    /// What a configuration says of it.
    package struct Parts: Sendable {
        let decoders: ScannerDecoders
        /// Where products are looked up.
        package let sources: CatalogSources
        let layouts: LayoutAdvisor?

        /// Makes the parts of a configuration.
        ///
        /// - Parameters:
        ///   - configuration: The configuration.
        ///   - sources: Where products are looked up, in order.
        package init(of configuration: Configuration, sources: CatalogSources) {
            self.init(
                decoders: ScannerDecoders(configuration: configuration), sources: sources,
                layouts: LayoutAdvisor(configuration: configuration))
        }

        init(decoders: ScannerDecoders, sources: CatalogSources, layouts: LayoutAdvisor?) {
            self.decoders = decoders
            self.sources = sources
            self.layouts = layouts
        }
    }

    private let current: Mutex<Parts>
    private let stopwatch: (@Sendable () -> @Sendable () -> Duration)?
    private let knowsTheYear: Bool

    /// Makes a pipeline.
    ///
    /// - Parameters:
    ///   - decoders: Decode the text of a scan, by its scanner.
    ///   - sources: Where products are looked up, in order.
    ///   - layouts: Says where the layout of a scanner looks wrong; nil where nobody asks.
    ///   - clock: Measures how long a lookup takes; nil where events must not depend on the
    ///     machine's speed.
    ///   - knowsTheYear: Whether the time of events is a real one, from which the century of dates
    ///     in GS1 elements follows.
    package init(
        decoders: ScannerDecoders, sources: CatalogSources, layouts: LayoutAdvisor? = nil,
        clock: (any Clock<Duration>)?, knowsTheYear: Bool
    ) {
        current = Mutex(Parts(decoders: decoders, sources: sources, layouts: layouts))
        stopwatch = clock.map { Self.stopwatch($0) }
        self.knowsTheYear = knowsTheYear
    }

    /// What scans go through now; a scan on its way goes on with what it began with.
    package var parts: Parts {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// The event of a complete scan, not yet numbered.
    ///
    /// - Parameters:
    ///   - scan: What was read.
    ///   - scanner: Who read it.
    ///   - time: When its last key came.
    ///   - detector: Knows what the scanner read before: a document can span several scans.
    /// - Returns: An event of type `keywedge.scan`; of type `keywedge.scan.redacted`, without a
    ///   character of the text, for a payment card or an identity document.
    nonisolated(nonsending) package func draft(
        for scan: Scan, from scanner: ScannerLabel, at time: EventTime,
        detector: inout SensitiveContentDetector
    ) async -> EventDraft {
        if let sensitive = detector.inspect(scan.text, aim: scan.aim) {
            return EventDraft(
                .scanRedacted, scanner: scanner.name, time: time,
                data: sensitive.data(from: scanner, keystrokes: scan.keystrokes))
        }
        let parts = parts
        let barcode = parts.decoders[scanner.name].decode(scan.text, aim: scan.aim)
        let (lookup, took) = await lookUp(barcode, at: time, in: parts.sources)
        var data = JSONObject(capacity: 12)
        data.appendNew("scanner", .object(scanner.data))
        if let identifier = scan.codeIdentifier {
            data.appendNew("code_identifier", .string(identifier))
        }
        let layout = parts.layouts?.finding(in: scan, from: scanner.name)
        barcode.append(
            to: &data, seenFrom: knowsTheYear ? time.year : nil, adding: layout?.data)
        data.appendNew("keystrokes", scan.keystrokes)
        lookup.append(to: &data, took: took)
        return EventDraft(
            .scan, scanner: scanner.name, time: time, content: scan.text, data: data)
    }

    /// The event of keys that are no scan, not yet numbered.
    ///
    /// - Parameters:
    ///   - rejection: What came.
    ///   - scanner: Whom it came from.
    ///   - time: When its last key came.
    ///   - detector: Knows what the scanner read before.
    /// - Returns: An event of type `keywedge.scan.rejected`, or `keywedge.scan.redacted` as above.
    package func draft(
        for rejection: Rejection, from scanner: ScannerLabel, at time: EventTime,
        detector: inout SensitiveContentDetector
    ) -> EventDraft {
        if let sensitive = detector.inspectFragment(rejection.text) {
            return EventDraft(
                .scanRedacted, scanner: scanner.name, time: time,
                data: sensitive.data(from: scanner, keystrokes: rejection.keystrokes))
        }
        var data = JSONObject(capacity: 6)
        data.appendNew("scanner", .object(scanner.data))
        let layout = parts.layouts?.finding(in: rejection, from: scanner.name)
        rejection.append(to: &data, adding: layout?.data)
        return EventDraft(
            .scanRejected, scanner: scanner.name, time: time,
            content: rejection.reason.rawValue + rejection.text, data: data)
    }

    nonisolated(nonsending) private func lookUp(
        _ barcode: Barcode, at time: EventTime, in sources: CatalogSources
    ) async -> (LookupResult, Duration?) {
        let elapsed = stopwatch?()
        let result = await sources.lookup(barcode)
        return (result.priced(at: time.microsecondsSince1970), elapsed?())
    }

    /// Begins to measure, and then tells how long it has been.
    private static func stopwatch<C: Clock<Duration>>(
        _ clock: C
    ) -> @Sendable () -> @Sendable () -> Duration {
        {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
    }
}
