extension GTIN {
    /// Expands a UPC-E and checks its check digit, which is that of the expanded number.
    ///
    /// - Parameter upcE: 8 ASCII digits: the number system (0 or 1), six digits, the check digit.
    /// - Throws: `GTINError.wrongLength`, `.notADigit`, `.wrongNumberSystem` or
    ///   `.wrongCheckDigit`.
    ///
    /// Rule: GS1 General Specifications, section 5.2.2.4 (UPC-E).
    public init(upcE: String) throws(GTINError) {
        let number = try Self.number(upcE, lengths: [8])
        let system = number / 10_000_000
        guard system <= 1 else {
            throw .wrongNumberSystem(text: upcE, found: Int(system))
        }
        let expanded = Self.expansion(system: system, body: number / 10 % 1_000_000)
        guard expanded % 10 == number % 10 else {
            throw .wrongCheckDigit(
                text: upcE, expected: Int(expanded % 10), found: Int(number % 10))
        }
        self.init(unchecked: expanded)
    }

    /// The number as the 8 digits of a UPC-E, or nil where it cannot be compressed.
    ///
    /// Only a GTIN-12 of number system 0 or 1 with enough zeros in the right places can.
    ///
    /// Rule: GS1 General Specifications, section 5.2.2.4 (UPC-E).
    public var upcE: String? {
        guard number < 200_000_000_000, let body = Self.compression(number / 10 % 10_000_000_000)
        else { return nil }
        let system = number / 100_000_000_000
        return Self.digits(of: (system * 1_000_000 + body) * 10 + number % 10, count: 8)
    }

    /// The 12-digit number of a UPC-E's number system and six digits, check digit included.
    static func expansion(system: UInt64, body: UInt64) -> UInt64 {
        let last = body % 10
        let expanded: UInt64 =
            switch last {
            case 0...2: (body / 10_000 * 10 + last) * 10_000_000 + body / 10 % 1000
            case 3: body / 1000 * 10_000_000 + body / 10 % 100
            case 4: body / 100 * 1_000_000 + body / 10 % 10
            default: body / 10 * 100_000 + last
            }
        let number = system * 10_000_000_000 + expanded
        return number * 10 + CheckDigit.gs1(forNumber: number)
    }

    /// The six digits for a company's five digits and an item's five, or nil.
    private static func compression(_ digits: UInt64) -> UInt64? {
        let company = digits / 100_000
        let item = digits % 100_000
        switch (company % 10, company / 10 % 10, company / 100 % 10) {
        case (0, 0, let third) where third <= 2 && item <= 999:
            return (company / 1000 * 1000 + item) * 10 + third
        case (0, 0, let third) where third > 2 && item <= 99:
            return (company / 100 * 100 + item) * 10 + 3
        case (0, let fourth, _) where fourth != 0 && item <= 9:
            return (company / 10 * 10 + item) * 10 + 4
        case (let fifth, _, _) where fifth != 0 && (5...9).contains(item):
            return company * 10 + item
        default:
            return nil
        }
    }
}
