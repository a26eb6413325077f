import WireText

/// Which events somebody wants; what is left empty makes no difference.
package struct EventFilter: Hashable, Sendable {
    package var types: Set<EventType>
    /// The scanners, by their names; the daemon's own events are of none.
    package var scanners: Set<String>
    /// The kinds of codes, as `data.kind` has them; what is no scan has none, and is not left out.
    package var kinds: Set<String>

    package init(types: Set<EventType> = [], scanners: Set<String> = [], kinds: Set<String> = []) {
        self.types = types
        self.scanners = scanners
        self.kinds = kinds
    }

    /// Whether an event is wanted.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - source: Its source.
    ///   - kind: Gives the kind of its code; called where that makes a difference.
    /// - Returns: Whether it is.
    package func takes(type: EventType, source: String, kind: () -> String?) -> Bool {
        if !types.isEmpty, !types.contains(type) { return false }
        if !scanners.isEmpty {
            guard let name = EventPlace(source: source).scanner, scanners.contains(name) else {
                return false
            }
        }
        guard !kinds.isEmpty, type == .scan else { return true }
        return kind().map(kinds.contains) ?? false
    }

    /// Whether an event is wanted.
    ///
    /// - Parameter event: The event.
    /// - Returns: Whether it is.
    package func takes(_ event: Event) -> Bool {
        takes(type: event.type, source: event.source) { event.data["kind"]?.string }
    }
}
