import WireText

/// What the line formats read out of an event's data.
///
/// An event may come from anywhere: a field that is missing, empty or of another type is `nil`.
struct EventFields {
    let event: Event

    var scanner: String? { text("scanner", "name") }
    var text: String? { text("text") }
    var reason: String? { text("reason") }
    var lookup: String? { text("lookup", "status") }
    var name: String? { text("product", "name") }
    var price: String? { text("product", "price") }
    var currency: String? { text("product", "currency") }

    /// How many keys were read; written alone or as `count` of an object.
    var keystrokes: String? { text("keystrokes", "count") ?? text("keystrokes") }

    /// The codes of the problems, in their order.
    var problems: [String] {
        (event.data["problems"]?.array ?? []).compactMap { Self.text(of: $0.object?["code"]) }
    }

    /// The text of a scalar at a path of keys.
    func text(_ path: String...) -> String? {
        var value: JSONValue? = .object(event.data)
        for key in path { value = value?.object?[key] }
        return Self.text(of: value)
    }

    private static func text(of value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .integer(let number): String(number)
        case .number(let number): number.literal
        case .bool(let truth): String(truth)
        case nil, .null, .array, .object: nil
        }
    }
}
