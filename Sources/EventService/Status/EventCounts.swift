import Events
import WireText

/// Counts since the daemon started: scanner events, lookups by status, and failures by source.
struct EventCounts: Equatable, Sendable {
    /// The number of lookups that a source could not answer, by failure code, and the last failure.
    struct Failures: Equatable, Sendable {
        var counts: [String: Int] = [:]
        var last: SourceStatus.Failure?
    }

    /// The maximum number of scanners to count separately; the rest are counted as `other`.
    static let scannerLimit = 256

    private(set) var scanners: [String: ScannerStatus] = [:]
    /// The durations of lookups, by the status of the lookup, such as `found`.
    private(set) var lookups: [String: DurationHistogram] = [:]
    private(set) var failures: [String: Failures] = [:]
    /// The times from a scan's last key until its event is published to the streams.
    private(set) var enterToEvent = DurationHistogram()

    mutating func count(_ event: Event, at now: EventTime) {
        guard let scanner = event.data["scanner"]?.object, var name = scanner["name"]?.string
        else { return }
        if scanners[name] == nil, scanners.count >= Self.scannerLimit { name = "other" }
        count(event, scanner, in: &scanners[name, default: ScannerStatus(name: name)])
        guard event.type == .scan else { return }
        enterToEvent.add(microseconds: now.microsecondsSince1970 - event.time.microsecondsSince1970)
        if let lookup = event.data["lookup"]?.object { count(lookup, at: event.time) }
    }

    private func count(_ event: Event, _ identity: JSONObject, in scanner: inout ScannerStatus) {
        scanner.interface = identity["interface"]?.string ?? scanner.interface
        scanner.vendor = identity["vendor"]?.string ?? scanner.vendor
        scanner.product = identity["product"]?.string ?? scanner.product
        switch event.type {
        case .scannerConnected: scanner.heldSince = event.time
        case .scannerDisconnected: scanner.heldSince = nil
        case .scan:
            scanner.scans += 1
            (scanner.lastScan, scanner.lastText) = (event.time, event.data["text"]?.string)
        case .scanRedacted:
            scanner.redacted += 1
            (scanner.lastScan, scanner.lastText) = (event.time, nil)
        case .scanRejected:
            let reason = event.data["reason"]?.string ?? ""
            scanner.rejections[reason, default: 0] += 1
            scanner.lastRejection = .init(time: event.time, reason: reason)
            guard reason == "torn" else { break }
            scanner.lostKeys.count += 1
            scanner.lostKeys.last = event.time
        default: break
        }
        for case .object(let problem) in event.data["problems"]?.array ?? []
        where problem["code"] == "layout-suspect" {
            scanner.layoutSuspicion.count += 1
            scanner.layoutSuspicion.last = event.time
            scanner.layoutSuspicion.message = problem["message"]?.string
        }
    }

    private mutating func count(_ lookup: JSONObject, at time: EventTime) {
        let status = lookup["status"]?.string ?? ""
        var took = 0.0
        if case .number(let number)? = lookup["took_ms"] { took = Double(number.literal) ?? 0 }
        let microseconds = Int64(exactly: (took * 1_000).rounded()) ?? 0
        lookups[status, default: DurationHistogram()].add(microseconds: microseconds)
        let failed = lookup["failures"]?.array?.compactMap(\.object) ?? [lookup]
        for failure in failed {
            guard let source = failure["catalog"]?.string, let code = failure["code"]?.string
            else { continue }
            failures[source, default: Failures()].counts[code, default: 0] += 1
            failures[source]?.last = .init(time: time, code: code)
        }
    }
}

/// A histogram of durations, with buckets from 5 ms to 10 s.
struct DurationHistogram: Equatable, Sendable {
    /// The upper bounds of the histogram's buckets, in seconds.
    static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// The number of durations in each bucket, not cumulative; the last bucket has no upper bound.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sumInMicroseconds: Int64 = 0

    var count: Int { counts.reduce(0, +) }

    mutating func add(microseconds: Int64) {
        let microseconds = max(0, microseconds)
        let bucket = Self.bounds.firstIndex { microseconds <= Int64($0 * 1_000_000) }
        counts[bucket ?? Self.bounds.count] += 1
        sumInMicroseconds &+= microseconds
    }
}
