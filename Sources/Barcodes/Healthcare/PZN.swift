/// A Pharmazentralnummer: what German pharmacies call an article by.
///
/// It has eight digits, the last a check digit; seven before 2013, which are the same number without
/// its leading zero. A Code 39 has `-` before it. Medicines have it inside a PPN or an NTIN:
///
/// | form | for instance |
/// |---|---|
/// | PZN | `-03752864`, `-3752864`, `PZN 03752864` |
/// | PPN: `11`, the PZN, two check digits; with its data identifier `9N` | `110375286414`, `9N110375286414` |
/// | NTIN, a GTIN: `04150`, the PZN, a check digit | `04150037528643` |
///
/// Rule: IFA, "Check digit calculations of PZN, PPN and Basic UDI-DI".
public struct PZN: Hashable, Sendable {
    /// The eight digits.
    public let digits: String

    /// Checks seven or eight digits.
    ///
    /// - Parameter digits: ASCII digits, with their check digit.
    public init?(_ digits: some StringProtocol) {
        let count = digits.utf8.count
        guard count == 7 || count == 8, let check = Self.checkDigit(for: digits.dropLast()),
            digits.last == Character(String(check))
        else { return nil }
        self.digits = (count == 7 ? "0" : "") + digits
    }

    /// Finds the number in a PPN.
    ///
    /// - Parameter ppn: `11`, eight digits, two check digits; `9N` may come first.
    public init?(ppn: String) {
        let ppn = ppn.hasPrefix("9N") ? ppn.dropFirst(2) : Substring(ppn)
        guard ppn.utf8.count == 12, ppn.hasPrefix("11"), Self.isPPN(ppn) else { return nil }
        self.init(ppn.dropFirst(2).prefix(8))
    }

    /// Finds the number in an NTIN, as a securPharm code may have it for a GTIN.
    public init?(ntin: GTIN) {
        guard ntin.text.hasPrefix("04150") else { return nil }
        self.init(ntin.text.dropFirst(5).prefix(8))
    }

    /// The number as a PPN.
    public var ppn: String {
        let check = Self.checkDigits(for: "11" + digits)
        return "11\(digits)" + GTIN.digits(of: UInt64(check), count: 2)
    }

    /// The number as an NTIN.
    public var ntin: GTIN {
        let number = 415_000_000_000 + (UInt64(digits) ?? 0)
        return GTIN(unchecked: number * 10 + CheckDigit.gs1(forNumber: number))
    }

    /// Finds the number in a text that is nothing else, in any form but that of an NTIN.
    ///
    /// - Parameter code: A code as a scanner sends it, or as a catalog lists it.
    package init?(code: String) {
        guard (7...16).contains(code.utf8.count) else { return nil }
        if let pzn = PZN(ppn: code) {
            self = pzn
        } else {
            self.init(Self.digits(of: code))
        }
    }

    /// The digits after `-` or `PZN`, with signs and spaces between them.
    static func digits(of code: String) -> String {
        let rest = code.prefix(3).uppercased() == "PZN" ? code.dropFirst(3) : Substring(code)
        return String(rest.drop { "-.: ".contains($0) })
    }
}

extension PZN {
    /// The check digit of six or seven digits: weighted with their place in the eight, modulo 11.
    ///
    /// - Returns: The digit; nil for other characters, and for a number that is never given out since
    ///   the remainder has two digits.
    static func checkDigit(for digits: some StringProtocol) -> Int? {
        var (sum, weight) = (0, 8 - digits.utf8.count)
        for digit in digits.utf8 {
            guard digit.isDigit else { return nil }
            sum += digit.digitValue * weight
            weight += 1
        }
        return sum % 11 < 10 ? sum % 11 : nil
    }

    /// The check digits of a PPN: the characters' codes, weighted with 2, 3 and so on, modulo 97.
    static func checkDigits(for text: some StringProtocol) -> Int {
        text.utf8.enumerated().reduce(0) { $0 + Int($1.element) * ($1.offset + 2) } % 97
    }

    /// Whether a text of any agency ends in the check digits of a PPN.
    static func isPPN(_ text: some StringProtocol) -> Bool {
        text.utf8.count > 4 && Int(text.suffix(2)) == checkDigits(for: text.dropLast(2))
    }
}

extension BarcodeDecoder {
    /// A PZN after `-`, as in a Code 39, or after its name; a PPN.
    ///
    /// Seven digits after `-` are as likely a number of the shop's own.
    func pzn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        let text = scanned.text
        let isNamed = text.prefix(3).uppercased() == "PZN" || text.hasPrefix("9N11")
        let isSigned = text.hasPrefix("-")
        guard isNamed || isSigned || scanned.digits?.count == 12 else { return nil }
        var reading = Reading(.pzn, symbology: isSigned && aim == nil ? .code39 : aim?.symbology)
        if let pzn = PZN(code: text) {
            reading.number = pzn.digits
            reading.checkDigit = .valid
            reading.fields = [
                DataField("PZN", pzn.digits), DataField("PPN", pzn.ppn),
                DataField("NTIN", pzn.ntin.text),
            ]
            reading.isDoubtful = isSigned && pzn.digits.utf8.count == text.utf8.count && aim == nil
            return reading
        }
        let digits = PZN.digits(of: text)
        let isPZN8 = isSigned && aim?.symbology == .code39 && digits.utf8.count == 8
        guard isNamed && [7, 8, 14].contains(digits.utf8.count) || isPZN8,
            digits.utf8.dropFirst(2).allSatisfy(\.isDigit)
        else { return nil }
        reading.checkDigit = .invalid
        reading.problems = [.wrongCheck(.wrongCheckDigit, of: text)]
        return reading
    }
}
