/// A Pharmazentralnummer, which identifies a product in German pharmacies.
///
/// It has eight digits, the last one a check digit; before 2013 it had seven, without the leading zero. In a Code 39
/// symbol, a `-` precedes it. Medicines carry it inside a PPN (`11`, the PZN, two check digits) or an NTIN, which is a
/// GTIN (`04150`, the PZN, a check digit).
///
/// Rule: IFA, "Check digit calculations of PZN, PPN and Basic UDI-DI".
package struct PZN: Hashable, Sendable {
    package let digits: String

    /// Reads seven or eight digits; nil for any other text, or if the check digit is wrong.
    package init?(_ digits: some StringProtocol) {
        let count = digits.utf8.count
        guard count == 7 || count == 8, let check = Self.checkDigit(for: digits.dropLast()),
            digits.last == Character(String(check))
        else { return nil }
        self.digits = (count == 7 ? "0" : "") + digits
    }

    init?(ntin: GTIN) {
        guard ntin.number / 1_000_000_000 == 4150 else { return nil }
        self.init(ntin.text.dropFirst(5).prefix(8))
    }

    /// Reads a PZN, or extracts it from a PPN; nil if the code is neither, or if a check digit is wrong.
    ///
    /// A PPN may start with `9N`, and a PZN with `PZN`, `-` or both.
    package init?(code: String) {
        guard (7...16).contains(code.utf8.count) else { return nil }
        let ppn = code.hasPrefix("9N") ? code.dropFirst(2) : Substring(code)
        if ppn.utf8.count == 12, ppn.hasPrefix("11"), Self.isPPN(ppn) {
            self.init(ppn.dropFirst(2).prefix(8))
        } else {
            self.init(Self.digits(of: code))
        }
    }

    var ppn: String {
        "11\(digits)" + GTIN.digits(of: UInt64(Self.checkDigits(for: "11" + digits)), count: 2)
    }

    package var ntin: GTIN {
        let number = 415_000_000_000 + (UInt64(digits) ?? 0)
        return GTIN(unchecked: number * 10 + CheckDigit.gs1(forNumber: number))
    }

    static func digits(of code: String) -> Substring {
        let rest = code.prefix(3).uppercased() == "PZN" ? code.dropFirst(3) : Substring(code)
        return rest.drop { "-.: ".contains($0) }
    }

    /// Computes the check digit that follows the given digits; nil if no digit can be correct.
    static func checkDigit(for digits: some StringProtocol) -> Int? {
        var (sum, weight) = (0, 8 - digits.utf8.count)
        for digit in digits.utf8 {
            guard digit.isDigit else { return nil }
            sum += digit.digitValue * weight
            weight += 1
        }
        return sum % 11 < 10 ? sum % 11 : nil
    }

    /// Computes the two check digits of a PPN, as a number from 0 to 96.
    static func checkDigits(for text: some StringProtocol) -> Int {
        text.utf8.enumerated().reduce(0) { $0 + Int($1.element) * ($1.offset + 2) } % 97
    }

    /// Whether text ends in the correct check digits of a PPN, which need not contain a PZN.
    static func isPPN(_ text: some StringProtocol) -> Bool {
        text.utf8.count > 4 && Int(text.suffix(2)) == checkDigits(for: text.dropLast(2))
    }
}

extension BarcodeDecoder {
    /// Reads a PZN that follows `-` or `PZN`, or that is part of a PPN.
    ///
    /// Without an AIM identifier, `-` and seven digits are doubtful: they may be one of the shop's own numbers.
    func pzn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        let text = scanned.text
        guard (7...22).contains(text.utf8.count) else { return nil }
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
            reading.isDoubtful = isSigned && text.utf8.count == 8 && aim == nil
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
