import Events
import WireText

/// What the events of a run come to, counted as they pass.
struct EventCounts: Equatable, Sendable {
    /// Something that happened more than once: how often, and the last time.
    struct Happening: Equatable, Sendable {
        private(set) var count = 0
        private(set) var last: EventTime?
        /// What the last time said.
        private(set) var words: String?

        /// It happened.
        mutating func note(_ words: String?, at time: EventTime) {
            count += 1
            last = time
            self.words = words
        }
    }

    /// What one scanner did.
    struct Scanner: Equatable, Sendable {
        /// What the device says of itself; nil where nothing came of it yet.
        var vendor: String?
        var product: String?
        /// Since when it is held; nil where it is not.
        var heldSince: EventTime?
        /// Its scans.
        var scans = Happening()
        /// The text of its last scan; nil where that was left out for its content.
        var lastText: String?
        /// Its scans that were left out for their content.
        var redacted = Happening()
        /// What came and was no scan, by the reason.
        var rejections: [String: Happening] = [:]
        /// Scans that look as if it typed on another layout, with the sentence that says which.
        var layoutSuspicions = Happening()

        /// When it last read a scan, be it one that was left out.
        var lastScan: EventTime? { [scans.last, redacted.last].compactMap(\.self).max() }
    }

    /// How many scanners are told apart: names of devices that are not configured are the devices' own.
    static let scannerLimit = 256
    /// The name under which all others are counted.
    static let otherScanners = "other"
    /// The reason for which keys were lost.
    static let lostKeys = "torn"

    /// The scanners, by name.
    private(set) var scanners: [String: Scanner] = [:]
    /// How long lookups took, by how they ended.
    private(set) var lookups: [String: DurationHistogram] = [:]
    /// Lookups in which a source could not answer, by its name and the failure's.
    private(set) var failures: [String: [String: Happening]] = [:]
    /// How long after its last key a scan was handed to everybody who takes events at once.
    private(set) var enterToEvent = DurationHistogram()

    /// Counts an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: When it was handed out.
    mutating func note(_ event: Event, at now: EventTime) {
        guard let scanner = event.data["scanner"]?.object, let name = scanner["name"]?.string
        else { return }
        let isKnown = scanners[name] != nil || scanners.count < Self.scannerLimit
        note(event, scanner, in: &scanners[isKnown ? name : Self.otherScanners, default: Scanner()])
        guard event.type == .scan else { return }
        enterToEvent.note(
            microseconds: now.microsecondsSince1970 - event.time.microsecondsSince1970)
        if let lookup = event.data["lookup"]?.object { note(lookup, at: event.time) }
    }

    private func note(_ event: Event, _ identity: JSONObject, in scanner: inout Scanner) {
        scanner.vendor = identity["vendor"]?.string ?? scanner.vendor
        scanner.product = identity["product"]?.string ?? scanner.product
        switch event.type {
        case .scannerConnected: scanner.heldSince = event.time
        case .scannerDisconnected: scanner.heldSince = nil
        case .scan:
            scanner.scans.note(nil, at: event.time)
            scanner.lastText = event.data["text"]?.string
        case .scanRedacted:
            scanner.redacted.note(nil, at: event.time)
            scanner.lastText = nil
        case .scanRejected:
            let reason = event.data["reason"]?.string ?? ""
            scanner.rejections[reason, default: Happening()].note(nil, at: event.time)
        default: break
        }
        for case .object(let problem) in event.data["problems"]?.array ?? []
        where problem["code"] == "layout-suspect" {
            scanner.layoutSuspicions.note(problem["message"]?.string, at: event.time)
        }
    }

    private mutating func note(_ lookup: JSONObject, at time: EventTime) {
        let status = lookup["status"]?.string ?? ""
        lookups[status, default: DurationHistogram()].note(microseconds: lookup.microseconds ?? 0)
        let failed = lookup["failures"]?.array?.compactMap(\.object) ?? [lookup]
        for failure in failed {
            guard let source = failure["catalog"]?.string, let code = failure["code"]?.string
            else { continue }
            failures[source, default: [:]][code, default: Happening()].note(nil, at: time)
        }
    }
}

extension JSONObject {
    /// How long a lookup took.
    fileprivate var microseconds: Int64? {
        guard case .number(let milliseconds)? = self["took_ms"],
            let value = Double(milliseconds.literal)
        else { return nil }
        return Int64(exactly: (value * 1_000).rounded())
    }
}
