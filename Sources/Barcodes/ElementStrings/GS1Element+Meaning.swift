extension GS1Element {
    /// The value as a number with its decimals, where the identifier tells how many it has.
    ///
    /// Those are the measures 31nn to 36nn, whose last digit counts the decimals, and the amounts
    /// and prices 390n to 395n; the currency ahead of some amounts is left out.
    ///
    /// Rule: GS1 General Specifications, sections 3.6 and 3.7.
    public var decimal: DecimalNumber? {
        let key = applicationIdentifier.key
        guard (3100..<3700).contains(key) || (3900..<3960).contains(key) else { return nil }
        let digits = value.dropFirst(hasCurrency ? 3 : 0)
        guard digits.utf8.allSatisfy(\.isDigit), let significand = UInt64(digits) else {
            return nil
        }
        return DecimalNumber(significand: significand, decimals: Int(key % 10))
    }

    /// The currency's three digits (ISO 4217) of an amount 391n or a price 393n.
    public var currency: String? {
        guard hasCurrency, value.utf8.count > 3, value.utf8.allSatisfy(\.isDigit) else {
            return nil
        }
        return String(value.prefix(3))
    }

    private var hasCurrency: Bool {
        [391, 393].contains(applicationIdentifier.key / 10)
    }

    /// The day, or month, that the value starts with, where the identifier is of a date.
    ///
    /// - Parameter currentYear: The year to see a two-digit year from.
    /// - Returns: The date; nil where the value holds none, or an impossible one.
    public func date(currentYear: Int) -> CalendarDate? {
        let spec = applicationIdentifier.spec
        let component = GS1Component(
            packed: ApplicationIdentifierTable.components[spec.components.lowerBound])
        switch ContentRule(rawValue: UInt8(component.rules & 0x3F)) {
        case .yymmd0, .yymmdd:
            return CalendarDate(yymmdd: value.prefix(6), currentYear: currentYear)
        case .yyyymmdd:
            guard value.utf8.count >= 8, let number = Int(value.prefix(8)) else { return nil }
            return CalendarDate(
                year: number / 10_000, month: number / 100 % 100, day: number % 100)
        default:
            return nil
        }
    }
}
