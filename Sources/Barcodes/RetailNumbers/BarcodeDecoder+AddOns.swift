extension BarcodeDecoder {
    /// Decodes the digits of an add-on that comes alone.
    func decodeAddOn(_ barcode: inout Barcode, length: Int) {
        guard let digits = Digits(barcode.text), digits.count == length else {
            barcode.problems.append(.notDigits(barcode.text, expected: length))
            return
        }
        barcode.addOn = barcode.text
    }

    /// Decodes `]E3`: 13 digits, or 12, with the two or five of an add-on right behind them.
    func decodeWithAddOn(_ barcode: inout Barcode) {
        guard let digits = Digits(barcode.text), [14, 15, 17, 18].contains(digits.count) else {
            barcode.problems.append(.notDigits(barcode.text, expected: 18))
            return
        }
        let length = digits.count < 16 ? 2 : 5
        decodeMain(&barcode, String(barcode.text.dropLast(length)))
        barcode.addOn = String(barcode.text.suffix(length))
    }

    /// Decodes an add-on that follows in the same text, behind its own AIM identifier.
    func decodeInlineAddOn(_ barcode: inout Barcode) {
        let bytes = Array(barcode.text.utf8)
        guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")), bracket + 3 < bytes.count,
            bytes[bracket + 1] == UInt8(ascii: "E"),
            (bytes[bracket + 2] == UInt8(ascii: "1") && bytes.count == bracket + 5)
                || (bytes[bracket + 2] == UInt8(ascii: "2") && bytes.count == bracket + 8),
            bytes[(bracket + 3)...].allSatisfy(\.isDigit)
        else {
            barcode.problems.append(.notDigits(barcode.text, expected: 13))
            return
        }
        decodeMain(&barcode, String(decoding: bytes[..<bracket], as: UTF8.self))
        barcode.addOn = String(decoding: bytes[(bracket + 3)...], as: UTF8.self)
    }

    /// Decodes the part of a text ahead of the add-on.
    private func decodeMain(_ barcode: inout Barcode, _ text: String) {
        let whole = barcode.text
        barcode.text = text
        decodeEAN13(&barcode)
        barcode.text = whole
    }
}
