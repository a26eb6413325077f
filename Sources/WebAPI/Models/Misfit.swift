import WireText

/// A number that does not fit the type of its property.
///
/// Foundation tells neither its place nor its digits. Both are found by trying: with the numbers after
/// some place made zeros, decoding fails as long as one before it does not fit.
struct Misfit {
    let place: JSONPointer
    let number: JSONValue
    /// What fits, as it follows "expected".
    let expected: String

    /// Finds the first number that does not fit; nil if the error is another one.
    init?(_ error: DecodingError, in part: JSONValue, decode: ([UInt8]) throws -> Void) {
        guard Self.isMisfit(error) else { return nil }
        var places: [JSONPointer] = []
        _ = part.mapNumbers { place, number in
            places.append(place)
            return number
        }
        func fits(_ change: (JSONPointer, JSONValue) -> JSONValue) -> Bool {
            do {
                try decode(Array(JSONWriter.text(of: part.mapNumbers(change)).utf8))
                return true
            } catch {
                return !Self.isMisfit(error)
            }
        }
        var (good, bad) = (0, places.count)
        while bad - good > 1 {
            let middle = (good + bad) / 2
            let kept = Set(places[..<middle])
            if fits({ kept.contains($0) ? $1 : .integer(0) }) {
                good = middle
            } else {
                bad = middle
            }
        }
        guard let place = places.dropFirst(good).first, let number = part[place] else { return nil }
        self.place = place
        self.number = number
        expected = Self.expectation { literal in
            fits { other, _ in other == place ? literal : .integer(0) }
        }
    }

    private static func expectation(_ fits: (JSONValue) -> Bool) -> String {
        if let half = JSONNumber("0.5"), fits(.number(half)) { return "a smaller number" }
        func name<T: FixedWidthInteger>(_ type: T.Type) -> String? {
            fits(.number(JSONNumber(T.min))) && fits(.number(JSONNumber(T.max)))
                ? "an integer from \(T.min) to \(T.max)" : nil
        }
        let types: [any FixedWidthInteger.Type] = [
            UInt64.self, Int64.self, UInt32.self, Int32.self, UInt16.self, Int16.self, UInt8.self,
            Int8.self,
        ]
        return types.compactMap { name($0) }.first ?? "an integer that fits"
    }

    /// Whether Foundation refused what is JSON, which it does with a number that does not fit.
    private static func isMisfit(_ error: any Error) -> Bool {
        guard case DecodingError.dataCorrupted(let context) = error else { return false }
        return context.codingPath.isEmpty
            && context.debugDescription == "The given data was not valid JSON."
    }
}

extension JSONValue {
    /// The value with other numbers in it.
    fileprivate func mapNumbers(
        at place: JSONPointer = JSONPointer(), _ change: (JSONPointer, JSONValue) -> JSONValue
    ) -> JSONValue {
        switch self {
        case .integer, .number: return change(place, self)
        case .array(let elements):
            return .array(
                elements.enumerated().map {
                    $1.mapNumbers(at: place.appending(String($0)), change)
                })
        case .object(let object):
            var changed = JSONObject(capacity: object.members.count)
            for member in object.members {
                changed.append(
                    member.key, member.value.mapNumbers(at: place.appending(member.key), change))
            }
            return .object(changed)
        default: return self
        }
    }
}
