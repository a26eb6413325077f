import WireText

/// Places in a JSON value.
enum JSONPlaces {
    /// How many values are looked at, and how deep; beyond that is no place a person would write.
    private static let (valueLimit, depthLimit) = (2000, 6)

    /// The places at which something stands, the outermost first.
    static func all(
        in value: JSONValue, where matches: (JSONValue) -> Bool
    ) -> [JSONPointer] {
        var level: [(pointer: JSONPointer, value: JSONValue)] = [(JSONPointer(), value)]
        var found: [JSONPointer] = []
        var seen = 0
        for _ in 0...depthLimit {
            var next: [(pointer: JSONPointer, value: JSONValue)] = []
            for (pointer, value) in level {
                seen += 1
                guard seen <= valueLimit else { return found }
                if matches(value) { found.append(pointer) }
                switch value {
                case .object(let object):
                    next += object.members.map { (pointer.appending($0.key), $0.value) }
                case .array(let elements):
                    next += elements.prefix(3).enumerated().map {
                        (pointer.appending(String($0)), $1)
                    }
                default: break
                }
            }
            level = next
        }
        return found
    }
}
