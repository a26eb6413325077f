import Barcodes
package import Events
package import Sinks
import WireText
import Yams

extension DurableSinkConfiguration {
    static let settings: [Setting<DurableSinkConfiguration>] =
        [
            Setting(
                "name", \.name, .sinkName,
                "The name of its place in the journal; without it the kind, of which there is one."),
            Setting(
                "from", \.start, .choice,
                "Where a new sink begins: end (what comes from now on) or oldest."),
            Setting(
                "catch_up", \.catchUp, .catchUp,
                """
                How fast what has waited goes out once the other side is there, such as 200/s or \
                30/min; none for as fast as it is taken.
                """),
        ] + EventFilter.settings.map { $0.inside(\.filter) }
}

extension EventFilter {
    /// Which events; the settings of every sink and consumer.
    static let settings: [Setting<EventFilter>] = [
        Setting(
            "types", \.types, .set("types of events", of: .eventType, by: \.rawValue),
            "The types of events; without it, all."),
        Setting(
            "scanners", \.scanners, .set("names of scanners", of: .nonEmptyText, by: \.self),
            "The scanners by name; without it, all, and the daemon's own events."),
        Setting(
            "kinds", \.kinds, .set("kinds of codes", of: .kind, by: \.self),
            "The kinds of codes that scans may be; without it, all."),
    ]
}

extension Codec {
    /// A list in which each element stands once; nothing where it is empty.
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
        node: { Node(word: $0) },
        read: { text in EventType.all.first { $0.rawValue == text } }, write: \.rawValue)
}

extension Codec<CatchUpRate?> {
    /// `none`, or a rate.
    fileprivate static let catchUp: Self = text(
        "a rate such as 200/s or 30/min, or none",
        .text(pattern: "\(CatchUpRate.pattern)|^none$"), node: { Node(word: $0) },
        read: { text in text == "none" ? .some(nil) : CatchUpRate(text).map { .some($0) } },
        write: { $0?.description ?? "none" })
}

extension Codec<String> {
    /// A name for the journal's cursors.
    static let sinkName = text(
        "a name of a-z, 0-9, \".\", \"_\" and \"-\" that starts with a letter or digit",
        .text(pattern: "^[a-z0-9][a-z0-9._-]{0,63}$")
    ) { text in
        let starts = "abcdefghijklmnopqrstuvwxyz0123456789"
        guard let first = text.unicodeScalars.first, text.utf8.count <= 64 else { return false }
        return starts.unicodeScalars.contains(first)
            && text.unicodeScalars.allSatisfy((starts + "._-").unicodeScalars.contains)
    }

    fileprivate static let kind = text(
        Words.either(Barcode.Kind.allCases.map(\.rawValue)),
        .either(Barcode.Kind.allCases.map(\.rawValue)), node: { Node(word: $0) },
        read: { Barcode.Kind(rawValue: $0)?.rawValue }, write: { $0 })
}

/// What is common to sinks that read the journal at a cursor of their own.
package struct DurableSinkConfiguration: Equatable, Sendable {
    /// The name of its cursor; nil for the kind of the sink.
    package var name: String?
    /// Where a sink begins that the journal has never seen.
    package var start: SinkRunner.Start
    /// How fast it gets what has waited for it; nil for as fast as it takes it.
    package var catchUp: CatchUpRate? = .standard
    /// Which events it gets.
    package var filter: EventFilter

    package init(
        name: String? = nil, start: SinkRunner.Start = .end, filter: EventFilter = EventFilter()
    ) {
        self.name = name
        self.start = start
        self.filter = filter
    }
}
