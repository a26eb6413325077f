import Events
import Journal
import WireText

extension EventServer {
    /// Returns the response to `GET /metrics`; no label contains a scanned code.
    func metrics() async -> [UInt8] {
        let (status, counts, letters) = await self.status()
        var text = MetricsText()
        text.add(
            "build_info", "Always 1; the labels are the version and the register.",
            [(1, [("version", status.version), ("register", status.register)])])
        text.add("start_time_seconds", "When the daemon started, since 1970.", status.started)
        text.add("streams", "Open event streams.", status.streams)
        text.add(
            "listen_ok", "Whether the daemon listens at a socket or an address.",
            status.listen.map { ($0.trouble == nil ? 1 : 0, [("place", $0.place)]) })
        append(status.scanners, to: &text)
        text.add(
            "enter_to_event_seconds", "From the last key of a scan until its event was handed out.",
            [(counts.enterToEvent, [])])
        append(counts, to: &text)
        append(status.sources, to: &text)
        let journal = status.journal
        text.add(
            "journal_open", "Whether the journal accepts events.", journal.state == "open" ? 1 : 0)
        text.add("journal_events", "Events in the journal.", journal.events)
        text.add("journal_size_bytes", "Size of the journal's files.", journal.sizeBytes)
        text.add(
            "journal_oldest_event_timestamp_seconds", "Time of the oldest event.",
            journal.oldest?.time)
        text.add(
            "sink_ok",
            "Whether nothing keeps the sink's events back and none became a dead letter.",
            status.sinks.map { ($0.state == "ok" ? 1 : 0, [("sink", $0.name)]) })
        append(status.sinks.map { ($0.name, $0.lagEvents, $0.lagS) }, "sink", to: &text)
        text.add(
            "sink_dead_letters", "Events that the sink refused for good.",
            letters.map { ($0.count, [("sink", $0.sink)]) })
        append(status.consumers.map { ($0.name, $0.lagEvents, $0.lagS) }, "consumer", to: &text)
        return text.bytes
    }

    private func append(_ scanners: [ScannerStatus], to text: inout MetricsText) {
        func add(
            _ name: String, as kind: MetricsText.Kind = .gauge, _ help: String,
            _ value: (ScannerStatus) -> (any MetricValue)?
        ) {
            text.add(name, as: kind, help, scanners.map { (value($0), [("scanner", $0.name)]) })
        }
        add("scanner_held", "Whether the scanner is attached and claimed.") {
            $0.heldSince == nil ? 0 : 1
        }
        add("scans_total", as: .counter, "Scans that were read.", \.scans)
        add(
            "scans_redacted_total", as: .counter,
            "Scans of payment cards and identity documents, which were left out.", \.redacted)
        text.add(
            "scans_rejected_total", as: .counter,
            "Keys that did not form a scan; the reason torn means lost keys.",
            scanners.flatMap { scanner in
                Set(parts.rejectionReasons).union(scanner.rejections.keys).sorted().map {
                    (scanner.rejections[$0] ?? 0, [("scanner", scanner.name), ("reason", $0)])
                }
            })
        add(
            "layout_suspicions_total", as: .counter,
            "Scans that look as if the scanner typed on another layout.", \.layoutSuspicion.count)
        add("last_scan_timestamp_seconds", "When the scanner's last scan was read.", \.lastScan)
    }

    private func append(_ counts: EventCounts, to text: inout MetricsText) {
        text.add(
            "lookup_seconds", "How long lookups took, by how they ended.",
            Set(parts.lookupStatuses).union(counts.lookups.keys).sorted().map {
                (counts.lookups[$0] ?? DurationHistogram(), [("status", $0)])
            })
        text.add(
            "lookup_failures_total", as: .counter, "Lookups in which a source could not answer.",
            counts.failures.sorted { $0.key < $1.key }.flatMap { source, failures in
                failures.counts.sorted { $0.key < $1.key }.map {
                    ($0.value, [("source", source), ("failure", $0.key)])
                }
            })
    }

    private func append(_ sources: [SourceStatus], to text: inout MetricsText) {
        func add(_ name: String, _ help: String, _ value: (SourceStatus) -> (any MetricValue)?) {
            text.add(name, help, sources.map { (value($0), [("source", $0.name)]) })
        }
        add("source_ready", "Whether a source of products is ready to be asked.") {
            $0.state == SourceStatus.ready ? 1 : 0
        }
        add("catalog_products", "Products in the embedded catalog.", \.products)
        add(
            "catalog_changed_timestamp_seconds", "When the embedded catalog last changed.",
            \.changed)
        add(
            "catalog_feed_expires_timestamp_seconds",
            "When the feed that the catalog follows expires.", \.feed?.expires)
        add(
            "catalog_feed_checked_timestamp_seconds",
            "When the feed that the catalog follows was read last.", \.feed?.checked)
    }

    private func append(
        _ lags: [(name: String, events: Int?, seconds: Double?)], _ label: String,
        to text: inout MetricsText
    ) {
        text.add(
            "\(label)_lag_events", "Events that the \(label) has not accepted.",
            lags.map { ($0.events, [(label, $0.name)]) })
        text.add(
            "\(label)_lag_seconds", "How long the \(label)'s oldest pending event has waited.",
            lags.map { ($0.seconds, [(label, $0.name)]) })
    }
}

/// Metrics in Prometheus's text format; their names begin with `keywedge_`.
///
/// Label values are first escaped with ``Escaping/line``, so that they cannot control a terminal or end a line.
///
/// Rule: Prometheus, "Exposition formats", text format 0.0.4. Backslashes and line feeds are escaped in help texts and
/// label values, and quotation marks only in label values.
struct MetricsText {
    enum Kind: String { case counter, gauge, histogram }

    typealias Label = (name: String, value: String)

    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"
    private(set) var bytes: [UInt8] = []

    /// Adds a metric, with a sample for each value that is not nil.
    mutating func add(
        _ name: String, as kind: Kind = .gauge, _ help: String,
        _ samples: [((any MetricValue)?, [Label])]
    ) {
        begin(name, kind, help)
        for case (let value?, let labels) in samples { append(name, value.metricText, labels) }
    }

    /// Adds a gauge without labels.
    mutating func add(_ name: String, _ help: String, _ value: (any MetricValue)?) {
        add(name, help, [(value, [])])
    }

    /// Adds one histogram per label set, with cumulative buckets and the sum in seconds.
    mutating func add(_ name: String, _ help: String, _ samples: [(DurationHistogram, [Label])]) {
        begin(name, .histogram, help)
        for (histogram, labels) in samples {
            var count = 0
            let bounds = DurationHistogram.bounds.map(\.metricText) + ["+Inf"]
            for (bound, inBucket) in zip(bounds, histogram.counts) {
                count += inBucket
                append("\(name)_bucket", count.metricText, labels + [("le", bound)])
            }
            let sum = Double(histogram.sumInMicroseconds) / 1_000_000
            append("\(name)_sum", sum.metricText, labels)
            append("\(name)_count", count.metricText, labels)
        }
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        bytes += "# HELP keywedge_\(name) \(help)\n# TYPE keywedge_\(name) \(kind.rawValue)\n".utf8
    }

    private mutating func append(_ name: String, _ value: String, _ labels: [Label]) {
        let texts = labels.map { name, value in
            let safe = Escaping.line.escaped(value).unicodeScalars.flatMap { scalar in
                scalar == "\\" || scalar == "\"" ? ["\\", scalar] : [scalar]
            }
            return name + "=\"" + String(String.UnicodeScalarView(safe)) + "\""
        }
        let shown = labels.isEmpty ? "" : "{\(texts.joined(separator: ","))}"
        bytes += "keywedge_\(name)\(shown) \(value)\n".utf8
    }
}

/// A metric value; times are in seconds since 1970.
protocol MetricValue { var metricText: String { get } }

extension Int: MetricValue { var metricText: String { "\(self)" } }

extension Double: MetricValue {
    var metricText: String { Int(exactly: self)?.metricText ?? "\(self)" }
}

extension EventTime: MetricValue {
    var metricText: String { (Double(microsecondsSince1970) / 1_000_000).metricText }
}
