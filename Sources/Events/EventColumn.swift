import WireText

/// The columns of the format `tsv`, in their order.
///
/// Columns are only ever added at the end. Every column is always there. A missing value is `-`,
/// because `read` of a shell takes several tabs for one; a value that is itself `-` is written
/// `\x2d`. Everything is escaped as ``Escaping/line`` says.
package enum EventColumn: String, CaseIterable, Sendable {
    /// When, as RFC 3339 in UTC.
    case time
    /// The scanner's name.
    case scanner
    /// The event's type: `keywedge.scan`.
    case type
    /// Why keys are no scan.
    case reason
    /// The characters read.
    case text
    /// 14 digits.
    case gtin
    /// The symbology, as far as known.
    case symbology
    /// What the text is: `gtin`, `gs1`, `text`.
    case kind
    /// The lookup's status: `found`, `not-found`.
    case lookup
    case productID = "product_id"
    case productName = "product_name"
    /// The product's price, a decimal with a point.
    case price
    /// The price's currency.
    case currency
    /// The unit the price is for.
    case unit
    /// The codes of the problems, with commas between them.
    case problems
    /// The event's sequence number, 20 digits.
    case sequence
    /// The event's id.
    case id
    /// The event's source.
    case source
    /// `true` if the price is an old one.
    case priceStale = "price_stale"
    /// What to charge, a decimal with a point; absent if a person must decide.
    case charge
    /// The currency of the charge.
    case chargeCurrency = "charge_currency"
    /// How many units are charged.
    case chargeQuantity = "charge_quantity"
    /// The unit of the quantity.
    case chargeUnit = "charge_unit"
    /// Why a person must decide what to charge.
    case chargeReason = "charge_reason"
}

extension EventColumn {
    /// The value in an event; `nil` where it has none.
    func value(in fields: EventFields) -> String? {
        switch self {
        case .time: fields.event.time.description
        case .scanner: fields.scanner
        case .type: fields.event.type.rawValue
        case .reason: fields.reason
        case .text: fields.text
        case .gtin: fields.text("gtin")
        case .symbology: fields.text("symbology")
        case .kind: fields.text("kind")
        case .lookup: fields.lookup
        case .productID: fields.text("product", "id")
        case .productName: fields.name
        case .price: fields.price
        case .currency: fields.currency
        case .unit: fields.text("product", "unit")
        case .problems: fields.problems.isEmpty ? nil : fields.problems.joined(separator: ",")
        case .sequence: Self.sequence(fields.event.sequence)
        case .id: fields.event.id
        case .source: fields.event.source
        case .priceStale: fields.isPriceStale ? "true" : nil
        case .charge: fields.text("charge", "amount")
        case .chargeCurrency: fields.text("charge", "currency")
        case .chargeQuantity: fields.text("charge", "quantity")
        case .chargeUnit: fields.text("charge", "unit")
        case .chargeReason: fields.text("charge", "reason")
        }
    }

    private static func sequence(_ number: UInt64) -> String {
        var digits: [UInt8] = []
        digits.appendDecimal(number, digits: 20)
        return String(decoding: digits, as: UTF8.self)
    }
}

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
    /// Whether the price is an old one: the catalog could not be asked.
    var isPriceStale: Bool { event.data["product"]?.object?["price_stale"] == .bool(true) }

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
