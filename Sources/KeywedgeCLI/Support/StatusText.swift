import Events
import WireText

/// The status of a daemon for people: a line or some for each scanner, source, sink and consumer.
///
/// What a daemon of another version leaves out is left out.
struct StatusText {
    private static let titleWidth = 11

    private let status: JSONObject
    private let now: EventTime?
    private var lines: [String] = []

    /// Puts a status in words.
    ///
    /// - Parameter status: What the daemon says.
    init(_ status: JSONObject) {
        self.status = status
        now = status["time"]?.time
        add("register", [register])
        add("scanners", list("scanners", scanner))
        add("catalog", list("sources", source))
        add("journal", status["journal"]?.object.map(journal) ?? [])
        add("sinks", list("sinks") { reader($0) } + list("former_sinks") { formerSink($0) })
        add("consumers", list("consumers") { reader($0) })
    }

    /// The lines.
    var text: String { lines.map { $0 + "\n" }.joined() }

    private mutating func add(_ title: String, _ words: [String]) {
        let room = String(repeating: " ", count: Self.titleWidth)
        for (index, text) in (words.isEmpty ? ["none"] : words).enumerated() {
            let shown = index == 0 ? title : ""
            lines.append(shown + room.dropFirst(shown.count) + text)
        }
    }

    private func list(_ name: String, _ words: (JSONObject) -> [String]) -> [String] {
        (status[name]?.array ?? []).compactMap(\.object).flatMap(words)
    }

    private var register: String {
        "\(status.words("register") ?? "?"), keywedge \(status.words("version") ?? "?"), running for "
            + (span(since: status["started"]) ?? "?")
    }

    private func scanner(_ data: JSONObject) -> [String] {
        let held = span(since: data["held_since"]).map { "held for \($0)" } ?? "not held"
        let scans = data.int("scans") + data.int("redacted")
        let last = span(since: data["last_scan"]).map { ", the last \($0) ago" } ?? ""
        var lines = ["\(data.words("name") ?? "?"): \(held); \(scans.counted("scan"))\(last)"]
        if data.int("redacted") > 0 {
            lines.append("  left out for their content: \(data.int("redacted"))")
        }
        if let text = data.words("last_text") { lines.append("  last code: \(text)") }
        let rejections = data["rejections"]?.object?.counts ?? ""
        if !rejections.isEmpty {
            let last = span(since: data["last_rejection"]?.object?["time"]) ?? "?"
            lines.append("  rejected: \(rejections); the last \(last) ago")
        }
        if let lost = data["lost_keys"]?.object, lost.int("count") > 0 {
            let last = span(since: lost["last"]) ?? "?"
            lines.append(
                "  keys were lost \(lost.int("count").counted("time")), the last time \(last) ago")
        }
        if let suspicion = data["layout_suspicion"]?.object, suspicion.int("count") > 0 {
            let scans = suspicion.int("count").counted("scan")
            lines.append("  in \(scans): \(suspicion.sentence("message") ?? "")")
        }
        return lines
    }

    private func source(_ data: JSONObject) -> [String] {
        var words = data.words("state") ?? "?"
        if let wait = data.seconds("retry_after_s") {
            words += ", asked again in \(wait.text)"
        }
        if case .integer(let products)? = data["products"] {
            words += "; \(Int(products).counted("product"))"
        }
        if let age = data.seconds("age_s") { words += ", changed \(age.text) ago" }
        var lines = ["\(data.words("name") ?? "?"): \(words)"]
        if let trouble = data.sentence("trouble") { lines.append("  \(trouble)") }
        if let feed = data["feed"]?.object { lines += self.feed(feed) }
        let failures = data["failures"]?.object?.counts ?? ""
        if !failures.isEmpty {
            let last = span(since: data["last_failure"]?.object?["time"]) ?? "?"
            lines.append("  failed: \(failures); the last \(last) ago")
        }
        return lines
    }

    private func feed(_ data: JSONObject) -> [String] {
        let age = span(since: data["checked"]) ?? "?"
        var lines = ["  follows \(data.words("source") ?? "?"), read \(age) ago"]
        if data["expired"] == .bool(true) {
            let age = span(since: data["expires"]) ?? "?"
            lines.append("  the feed expired \(age) ago: its prices may be old")
        }
        if let trouble = data.sentence("trouble") { lines.append("  \(trouble)") }
        return lines
    }

    private func journal(_ data: JSONObject) -> [String] {
        var words = "\(data.words("file") ?? "?"): \(data.words("state") ?? "?")"
        if case .integer(let events)? = data["events"] {
            words += "; \(Int(events).counted("event")), \(megabytes(data.int("size_bytes")))"
        }
        if let oldest = span(since: data["oldest"]?.object?["time"]),
            let newest = span(since: data["newest"]?.object?["time"])
        {
            words += ", from \(oldest) to \(newest) ago"
        }
        var lines = [words]
        if let trouble = data.sentence("trouble") { lines.append("  \(trouble)") }
        if data.int("waiting") > 0 {
            lines.append("  waiting in memory: \(data.int("waiting").counted("event"))")
        }
        return lines
    }

    /// A sink or a consumer.
    private func reader(_ data: JSONObject) -> [String] {
        var words = data.words("state").map { [$0] } ?? []
        if case .integer(let events)? = data["lag_events"] {
            let wait = data.seconds("lag_s").map { ", the oldest waits for \($0.text)" } ?? ""
            words.append(
                events == 0
                    ? "nothing waits" : "\(Int(events).counted("event")) behind\(wait)")
        }
        if data.int("dead_letters") > 0 {
            words.append(data.int("dead_letters").counted("dead letter"))
            // The number says it.
            words.removeAll { $0 == "refused" }
        }
        var lines = ["\(data.words("name") ?? "?"): \(words.joined(separator: "; "))"]
        let failure = data["trouble"]?.object ?? data["last_error"]?.object
        if let failure, let message = failure.sentence("message") {
            let isOver = data["trouble"]?.object == nil
            let ago = span(since: failure["time"]) ?? "?"
            lines.append("  \(isOver ? "last error, \(ago) ago" : "for \(ago)"): \(message)")
        }
        return lines
    }

    private func formerSink(_ data: JSONObject) -> [String] {
        let name = data.words("name") ?? "?"
        let events = data.int("lag_events").counted("event waits", "events wait")
        return [
            "\(name): no longer configured; \(events)",
            "  keywedge journal forget \(name) drops them",
        ]
    }

    private func megabytes(_ bytes: Int) -> String {
        let tenths = (bytes + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    /// How long ago a time was.
    private func span(since value: JSONValue?) -> String? {
        guard let now, let time = value?.time else { return nil }
        let microseconds = max(0, now.microsecondsSince1970 - time.microsecondsSince1970)
        return Duration.seconds(microseconds / 1_000_000).text
    }
}

extension JSONValue {
    fileprivate var time: EventTime? { string.flatMap { try? EventTime(rfc3339: $0) } }
}

extension JSONObject {
    /// A name or a code, escaped.
    fileprivate func words(_ name: String) -> String? {
        self[name]?.string.map(Escaping.line.escaped)
    }

    /// A sentence, which was escaped when it was put in words.
    fileprivate func sentence(_ name: String) -> String? {
        self[name]?.string.map(Escaping.sentence.escaped)
    }

    fileprivate func int(_ name: String) -> Int {
        if case .integer(let value)? = self[name] { Int(value) } else { 0 }
    }

    fileprivate func seconds(_ name: String) -> Duration? {
        guard case .number(let number)? = self[name], let value = Double(number.literal) else {
            return nil
        }
        return .seconds(Int64(value.rounded(.down)))
    }

    /// Its members as counts of what they name: `2 torn, 1 idle`.
    fileprivate var counts: String {
        members.map { "\(int($0.key)) \(Escaping.line.escaped($0.key))" }.joined(separator: ", ")
    }
}
