import Barcodes
package import Events
package import Sinks
import WireText
import Yams

/// The settings that all sinks with a cursor in the journal share.
package struct DurableSinkConfiguration: Equatable, Sendable {
    /// The name of the sink and of its cursor; nil to use the sink's kind as the name.
    package var name: String?
    package var start = SinkRunner.Start.end
    /// The maximum rate at which the sink receives its backlog; nil for no limit.
    package var catchUp: CatchUpRate? = .standard
    package var filter = EventFilter()
    static let settings: [Setting<Self>] =
        [
            Setting(
                "name", \.name, .name(upTo: 64),
                "The name of the sink and its cursor, unique; by default the sink's kind."),
            Setting(
                "from", \.start, .choice,
                "Where a new sink begins: end (what comes from now on) or oldest."),
            Setting(
                "catch_up", \.catchUp, .catchUp,
                "How fast the backlog is sent when the receiver is back, such as 200/s or 30/min; "
                    + "none for no limit."),
        ] + EventFilter.settings.map { $0.inside(\.filter) }
}

extension EventFilter {
    static let settings: [Setting<EventFilter>] = [
        Setting(
            "types", \.types, .set("types of events", of: .eventType, by: \.rawValue),
            "The types of events; without it, all."),
        Setting(
            "scanners", \.scanners, .set("names of scanners", of: .nonEmptyText, by: \.self),
            "The scanners by name; without it, all, and the daemon's own events."),
        Setting(
            "kinds", \.kinds,
            .set(
                "kinds of codes",
                of: Codec<Barcode.Kind>.choice.map(\.rawValue, Barcode.Kind.init(rawValue:)),
                by: \.self),
            "The kinds of codes that scans may be; without it, all."),
    ]
}

extension Codec {
    /// Makes a codec for a set, written as one value or as a list; an empty set is not written.
    fileprivate static func set<Element: Hashable & Sendable>(
        _ expected: String, of element: Codec<Element>,
        by order: @escaping @Sendable (Element) -> String
    ) -> Self where Value == Set<Element> {
        Codec<[Element]>.oneOrMany(expected, of: element).map(
            { Set($0) }, { $0.isEmpty ? nil : $0.sorted { order($0) < order($1) } })
    }
}

extension Codec<EventType> {
    static let eventType = text(
        "a type of events such as keywedge.scan", .either(EventType.all.map(\.rawValue)),
        node: Node.init(word:),
        read: { text in EventType.all.first { $0.rawValue == text } }, write: \.rawValue)
}

extension Codec<CatchUpRate?> {
    fileprivate static let catchUp: Self = text(
        "a rate such as 200/s or 30/min, or none",
        .text(pattern: "\(CatchUpRate.pattern)|^none$"), node: Node.init(word:),
        read: { text in text == "none" ? .some(nil) : CatchUpRate(text).map { .some($0) } },
        write: { $0?.description ?? "none" })
}
