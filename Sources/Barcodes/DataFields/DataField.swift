/// A named part of a distributor's label, a Health Industry Bar Code, a PZN or a library number.
public struct DataField: Hashable, Sendable {
    /// The ANSI MH10.8.2 data identifier, such as `1T`; nil if the field has none.
    public let identifier: String?
    /// The meaning of the field, such as `lot`; nil if it is unknown.
    public let title: String?
    /// The characters of the field, without its identifier.
    public let value: String
    /// The field's date as YYMMDD or YYYYMMDD; nil if the field has no date in a supported format.
    private let day: String?

    init(_ title: String?, _ value: some StringProtocol, day: String? = nil) {
        (identifier, self.title, self.value, self.day) = (nil, title, String(value), day)
    }

    /// Parses an identifier, such as `1T`, and the value after it; nil without an identifier.
    init?(element: some StringProtocol) {
        let digits = element.utf8.prefix(while: \.isDigit).count
        guard digits <= 3, let letter = element.utf8.dropFirst(digits).first, letter.isUpper else {
            return nil
        }
        let identifier = String(element.prefix(digits + 1))
        let value = String(element.dropFirst(digits + 1))
        self.identifier = identifier
        let isMutual = letter == "Z"
        self.title = Self.titles[isMutual ? "Z" : identifier]
        self.value = value
        day = Self.lengthsOfDates[identifier].map { String(value.prefix($0)) }
    }

    /// Converts the date in the field to ISO 8601 format.
    ///
    /// - Parameter currentYear: The year used to choose the century of a two-digit year.
    /// - Returns: `2026-12-31`, or `2026-12` if the day is 00; nil if the field is not a valid date.
    public func date(currentYear: Int) -> String? {
        day.flatMap { GS1Element.date($0, currentYear: currentYear) }
    }
}

extension DataField {
    private static let lengthsOfDates = ["D": 6, "6D": 8, "14D": 8, "15D": 6, "16D": 8]

    /// The titles of the data identifiers that appear on labels of goods.
    ///
    /// Rule: ANSI MH10.8.2 and, for electronics distributors' labels, ECIA's EIGP 114.
    private static let titles = [
        "B": "container type", "D": "date", "1D": "date (MMDDYY)", "4D": "date (YYDDD)",
        "5D": "date (YYMMDD and qualifier)", "6D": "date", "9D": "date code", "10D": "date code",
        "14D": "expiry date", "15D": "expiry date", "16D": "production date",
        "I": "vehicle identification number", "J": "licence plate", "1J": "licence plate",
        "2J": "licence plate", "5J": "licence plate", "6J": "licence plate",
        "K": "customer order", "1K": "supplier order", "2K": "shipment", "3K": "manifest",
        "4K": "customer order line", "9K": "reference", "10K": "invoice", "11K": "packing list",
        "12K": "carrier reference", "13K": "bill of lading", "14K": "order and line",
        "15K": "kanban number", "16K": "delivery document",
        "L": "storage location", "1L": "location", "2L": "ship to", "3L": "ship from",
        "4L": "country of origin", "9N": "PPN",
        "P": "customer part number", "1P": "supplier part number", "2P": "revision",
        "8P": "GTIN", "30P": "supplier part number, first level",
        "31P": "supplier part number, second level", "33P": "bin code",
        "Q": "quantity", "2Q": "weight", "3Q": "unit of measure", "7Q": "quantity and unit",
        "13Q": "package count", "27Q": "price",
        "S": "serial number", "2S": "shipment notice", "3S": "package", "4S": "package",
        "5S": "package", "25S": "unique item",
        "T": "lot given by the customer", "1T": "lot", "2T": "lot",
        "V": "supplier", "1V": "manufacturer", "2V": "DUNS number", "12V": "DUNS number",
        "Z": "mutually defined",
    ]
}
