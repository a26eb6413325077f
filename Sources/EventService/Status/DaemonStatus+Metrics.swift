import Events
import Journal

extension DaemonStatus {
    /// The status as `GET /metrics` gives it: no code of a product is in it, and no label but names of ours
    /// and of the configuration.
    var metrics: [UInt8] {
        var text = MetricsText()
        appendDaemon(to: &text)
        appendScanners(to: &text)
        appendLookups(to: &text)
        appendJournal(to: &text)
        appendReaders(to: &text)
        return text.bytes
    }

    private func appendDaemon(to text: inout MetricsText) {
        text.begin(
            "keywedge_build_info", .gauge, "Always 1; its labels say which keywedge runs where.")
        text.add(1, ("version", parts.version), ("register", parts.register))
        text.begin("keywedge_start_time_seconds", .gauge, "When the daemon started, since 1970.")
        text.add(microseconds: parts.started.microsecondsSince1970)
        text.begin("keywedge_streams", .gauge, "Streams of events that are open.")
        text.add(streams)
    }

    private func appendScanners(to text: inout MetricsText) {
        let scanners = scanners
        text.begin("keywedge_scanner_held", .gauge, "Whether the scanner is attached and taken.")
        for (name, counts) in scanners {
            text.add(counts.heldSince == nil ? 0 : 1, ("scanner", name))
        }
        text.begin("keywedge_scans_total", .counter, "Scans that were read.")
        for (name, counts) in scanners { text.add(counts.scans.count, ("scanner", name)) }
        text.begin(
            "keywedge_scans_redacted_total", .counter,
            "Scans of payment cards and identity documents, which were left out.")
        for (name, counts) in scanners { text.add(counts.redacted.count, ("scanner", name)) }
        text.begin(
            "keywedge_scans_rejected_total", .counter,
            "Keys that were no scan; torn where keys were lost.")
        for (name, counts) in scanners {
            let reasons = Set(parts.rejectionReasons).union(counts.rejections.keys)
            for reason in reasons.sorted() {
                text.add(
                    counts.rejections[reason]?.count ?? 0, ("scanner", name), ("reason", reason))
            }
        }
        text.begin(
            "keywedge_layout_suspicions_total", .counter,
            "Scans that look as if the scanner typed on another layout.")
        for (name, counts) in scanners {
            text.add(counts.layoutSuspicions.count, ("scanner", name))
        }
        text.begin(
            "keywedge_last_scan_timestamp_seconds", .gauge, "When the scanner's last scan was read."
        )
        for (name, counts) in scanners {
            guard let last = counts.lastScan else { continue }
            text.add(microseconds: last.microsecondsSince1970, ("scanner", name))
        }
        text.begin(
            "keywedge_enter_to_event_seconds", .histogram,
            "From the last key of a scan until its event was handed out.")
        text.add(counts.enterToEvent)
    }

    private func appendLookups(to text: inout MetricsText) {
        text.begin(
            "keywedge_lookup_seconds", .histogram, "How long lookups took, by how they ended.")
        for status in Set(parts.lookupStatuses).union(counts.lookups.keys).sorted() {
            text.add(counts.lookups[status] ?? DurationHistogram(), ("status", status))
        }
        text.begin(
            "keywedge_lookup_failures_total", .counter,
            "Lookups in which a source could not answer.")
        for (source, failures) in counts.failures.sorted(by: { $0.key < $1.key }) {
            for (failure, happening) in failures.sorted(by: { $0.key < $1.key }) {
                text.add(happening.count, ("source", source), ("failure", failure))
            }
        }
        text.begin(
            "keywedge_source_ready", .gauge, "Whether a source of products is ready to be asked.")
        for source in sources {
            text.add(source.state == SourceStatus.ready ? 1 : 0, ("source", source.name))
        }
        text.begin("keywedge_catalog_products", .gauge, "Products in the embedded catalog.")
        for source in sources {
            if let products = source.products { text.add(products, ("source", source.name)) }
        }
        text.begin(
            "keywedge_catalog_changed_timestamp_seconds", .gauge,
            "When the embedded catalog last changed.")
        for source in sources {
            guard let changed = source.changed else { continue }
            text.add(microseconds: changed.microsecondsSince1970, ("source", source.name))
        }
        let times: [(String, String, (SourceStatus.Feed) -> EventTime)] = [
            ("expires", "When the feed that the catalog follows expires.", \.expires),
            ("checked", "When the feed that the catalog follows was read last.", \.checked),
        ]
        for (name, words, time) in times {
            text.begin("keywedge_catalog_feed_\(name)_timestamp_seconds", .gauge, words)
            for source in sources {
                guard let feed = source.feed else { continue }
                text.add(microseconds: time(feed).microsecondsSince1970, ("source", source.name))
            }
        }
    }

    private func appendJournal(to text: inout MetricsText) {
        text.begin("keywedge_journal_open", .gauge, "Whether the journal takes events.")
        text.add(journalCondition == .open ? 1 : 0)
        text.begin("keywedge_journal_events", .gauge, "Events in the journal.")
        if let journal { text.add(journal.events) }
        text.begin("keywedge_journal_size_bytes", .gauge, "Size of the journal's files.")
        if let journal { text.add(journal.size) }
        text.begin(
            "keywedge_journal_oldest_event_timestamp_seconds", .gauge, "Time of the oldest event.")
        if let oldest = journal?.oldest {
            text.add(microseconds: oldest.time.microsecondsSince1970)
        }
    }

    private func appendReaders(to text: inout MetricsText) {
        text.begin(
            "keywedge_sink_ok", .gauge,
            "Whether nothing keeps the sink's events back and none became a dead letter.")
        for sink in sinks { text.add(state(of: sink) == .ok ? 1 : 0, ("sink", sink.name)) }
        let sinkLags = sinks.compactMap { sink in lag(of: sink).map { (sink.name, $0) } }
        append(sinkLags, "sink", to: &text)
        text.begin("keywedge_sink_dead_letters", .gauge, "Events that the sink refused for good.")
        for (name, count) in deadLetters { text.add(count, ("sink", name)) }
        append(consumers.map { ($0.name, $0.lag) }, "consumer", to: &text)
    }

    private func append(
        _ lags: [(String, JournalSurvey.Lag)], _ label: String, to text: inout MetricsText
    ) {
        text.begin(
            "keywedge_\(label)_lag_events", .gauge, "Events that the \(label) has not taken.")
        for (name, lag) in lags { text.add(lag.events, (label, name)) }
        text.begin(
            "keywedge_\(label)_lag_seconds", .gauge,
            "For how long the oldest event that the \(label) has not taken has waited.")
        for (name, lag) in lags { text.add(microseconds: waiting(lag), (label, name)) }
    }
}
