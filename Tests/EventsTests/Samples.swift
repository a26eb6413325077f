import Events
import WireText

/// Events like those that the pipeline makes.
enum Samples {
    static let time = EventTime(microsecondsSince1970: 1_795_248_000_123_456)

    static func event(
        _ type: EventType = .scan, id: String = "6a1f", sequence: UInt64 = 42, data: JSONObject
    ) -> Event {
        Event(
            id: id, source: "/keywedge/register-3/scanners/counter", type: type, time: time,
            sequence: sequence, data: data)
    }

    static func scan(
        _ text: String = "4006381333931", name: String = "Fineliner", price: String = "1.20",
        problems: [JSONValue] = []
    ) -> Event {
        event(data: [
            "scanner": ["name": "counter"], "text": .string(text), "symbology": "ean-13",
            "kind": "gtin", "gtin": "04006381333931", "problems": .array(problems),
            "lookup": ["status": "found"],
            "product": [
                "id": "p-1", "name": .string(name), "price": .string(price), "currency": "EUR",
            ],
        ])
    }

    static func rejection(_ reason: String, text: String = "400638") -> Event {
        event(
            .scanRejected,
            data: [
                "scanner": ["name": "counter"], "text": .string(text), "reason": .string(reason),
                "keystrokes": 7, "position": 6,
            ])
    }

    /// An event with the same text in every field that can contain text.
    static func everywhere(_ text: String, type: EventType) -> Event {
        let value = JSONValue.string(text)
        return Event(
            id: text, source: text, type: type, time: time, sequence: 1,
            data: [
                "scanner": ["name": value], "text": value, "reason": value, "gtin": value,
                "symbology": value, "kind": value, "lookup": ["status": value], "key": value,
                "keystrokes": value, "position": value, "problems": [["code": value]],
                "product": [
                    "id": value, "name": value, "price": value, "currency": value, "unit": value,
                ],
                text: value,
            ])
    }

    static func line(of event: Event, _ formatter: EventFormatter) -> String {
        var output: [UInt8] = []
        formatter.append(event, to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}
