import Events
import Journal
import WireText

extension DaemonStatus {
    /// The status as `GET /v1/status` gives it.
    ///
    /// - Parameter hasCodes: Whether it has the text of each scanner's last scan.
    /// - Returns: The JSON object.
    func json(hasCodes: Bool) -> JSONObject {
        [
            "register": .string(parts.register), "version": .string(parts.version),
            "started": .time(parts.started), "time": .time(time),
            "streams": .integer(Int64(streams)),
            "scanners": .array(scanners.map { .object(json(of: $0, $1, hasCodes)) }),
            "lookups": .object(counts.lookups.mapValues(\.count).json),
            "sources": .array(sources.map { .object(json(of: $0)) }),
            "journal": .object(journalJSON),
            "sinks": .array(sinks.map { .object(json(of: $0)) }),
            "former_sinks": json(of: formerSinks), "consumers": json(of: consumers),
        ]
    }

    private func json(of readers: [(name: String, lag: JournalSurvey.Lag)]) -> JSONValue {
        .array(
            readers.map { name, lag in
                var data: JSONObject = ["name": .string(name)]
                append(lag, to: &data)
                return .object(data)
            })
    }

    private func json(
        of name: String, _ scanner: EventCounts.Scanner, _ hasCodes: Bool
    ) -> JSONObject {
        let rejected = scanner.rejections.max {
            ($0.value.last ?? .first) < ($1.value.last ?? .first)
        }
        var data: JSONObject = [
            "name": .string(name), "vendor": .text(scanner.vendor),
            "product": .text(scanner.product), "held_since": .time(scanner.heldSince),
            "scans": .integer(Int64(scanner.scans.count)),
            "redacted": .integer(Int64(scanner.redacted.count)),
            "last_scan": .time(scanner.lastScan),
            "rejections": .object(scanner.rejections.mapValues(\.count).json),
            "last_rejection": rejected.map { reason, happening in
                ["time": .time(happening.last), "reason": .string(reason)]
            } ?? .null,
            "lost_keys": .object(json(of: scanner.rejections[EventCounts.lostKeys])),
        ]
        var suspicion = json(of: scanner.layoutSuspicions)
        suspicion.append("message", .text(scanner.layoutSuspicions.words))
        data.append("layout_suspicion", .object(suspicion))
        if hasCodes { data.append("last_text", .text(scanner.lastText)) }
        return data
    }

    private func json(of happening: EventCounts.Happening?) -> JSONObject {
        ["count": .integer(Int64(happening?.count ?? 0)), "last": .time(happening?.last)]
    }

    private func json(of source: SourceStatus) -> JSONObject {
        var data: JSONObject = [
            "name": .string(source.name), "kind": .string(source.kind.rawValue),
            "state": .string(source.state), "trouble": .text(source.trouble),
            "retry_after_s": source.retryAfter.map { .seconds($0.microseconds) } ?? .null,
        ]
        if source.kind == .embedded {
            data.append("products", source.products.map { .integer(Int64($0)) } ?? .null)
            data.append("changed", .time(source.changed))
            data.append("age_s", source.changed.map { .seconds(age(of: $0)) } ?? .null)
            data.append("feed", source.feed.map { .object(json(of: $0)) } ?? .null)
        }
        let failures = counts.failures[source.name] ?? [:]
        let last = failures.max { ($0.value.last ?? .first) < ($1.value.last ?? .first) }
        data.append("failures", .object(failures.mapValues(\.count).json))
        data.append(
            "last_failure",
            last.map { ["time": .time($1.last), "code": .string($0)] } ?? .null)
        return data
    }

    private func json(of feed: SourceStatus.Feed) -> JSONObject {
        [
            "source": .string(feed.source), "checked": .time(feed.checked),
            "expires": .time(feed.expires), "expired": .bool(feed.expires < time),
            "trouble": .text(feed.trouble),
        ]
    }

    private var journalJSON: JSONObject {
        let (state, trouble, waiting): (String, String?, Int) =
            switch journalCondition {
            case .open: ("open", nil, 0)
            case .full: ("full", nil, 0)
            case .trouble(let text, let waiting): ("trouble", text, waiting)
            }
        return [
            "file": .string(journalFile), "state": .string(state), "trouble": .text(trouble),
            "waiting": .integer(Int64(waiting)),
            "epoch": journal.map { .string("\($0.start.epoch)") } ?? .null,
            "events": journal.map { .integer(Int64(clamping: $0.events)) } ?? .null,
            "size_bytes": journal.map { .integer(Int64(clamping: $0.size)) } ?? .null,
            "dead_letters": journal.map { .integer(Int64($0.deadLetters.values.reduce(0, +))) }
                ?? .null,
            "oldest": .place(journal?.oldest), "newest": .place(journal?.newest),
        ]
    }

    private func json(of sink: SinkStatus) -> JSONObject {
        var data: JSONObject = [
            "name": .string(sink.name), "state": .string(state(of: sink).rawValue),
            "trouble": .failure(sink.trouble), "last_error": .failure(sink.lastError),
        ]
        guard sink.isDurable else { return data }
        append(lag(of: sink), to: &data)
        data.append("dead_letters", deadLetters(of: sink).map { .integer(Int64($0)) } ?? .null)
        return data
    }

    private func append(_ lag: JournalSurvey.Lag?, to data: inout JSONObject) {
        data.append("cursor", lag.map { .string("\($0.cursor)") } ?? .null)
        data.append("lag_events", lag.map { .integer(Int64(clamping: $0.events)) } ?? .null)
        data.append("lag_s", lag.map { .seconds(waiting($0)) } ?? .null)
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }

    fileprivate static func time(_ time: EventTime?) -> JSONValue { text(time?.description) }

    /// Seconds with three decimals.
    fileprivate static func seconds(_ microseconds: Int64) -> JSONValue {
        .number(JSONNumber(thousandths: UInt64(max(0, microseconds)) / 1_000))
    }

    fileprivate static func place(_ place: JournalSurvey.Place?) -> JSONValue {
        guard let place else { return .null }
        return [
            "sequence": .string(Event.text(ofSequence: place.sequence)), "time": .time(place.time),
        ]
    }

    fileprivate static func failure(_ failure: SinkStatus.Failure?) -> JSONValue {
        guard let failure else { return .null }
        return ["message": .string(failure.message), "time": .time(failure.time)]
    }
}

extension [String: Int] {
    /// An object with its keys in order.
    fileprivate var json: JSONObject {
        sorted { $0.key < $1.key }.reduce(into: JSONObject()) { object, member in
            object.append(member.key, .integer(Int64(member.value)))
        }
    }
}

extension Duration {
    /// The duration in microseconds.
    fileprivate var microseconds: Int64 {
        Int64(clamping: components.seconds.multipliedReportingOverflow(by: 1_000_000).partialValue)
            + components.attoseconds / 1_000_000_000_000
    }
}
