/// The digits of a decimal number, as written; no value in between that could round it.
struct DecimalText: Equatable {
    /// The digits ahead of the separator.
    let whole: Substring.UTF8View
    /// The digits behind the separator; empty where there is none.
    let decimals: Substring.UTF8View
    /// The point or comma, nil where there is none.
    let separator: UInt8?

    static func == (left: Self, right: Self) -> Bool {
        left.whole.elementsEqual(right.whole) && left.decimals.elementsEqual(right.decimals)
            && left.separator == right.separator
    }

    /// Reads digits with at most one point or comma.
    init(_ text: String) throws(PriceError) {
        try self.init(Substring(text), within: text)
    }

    /// Reads digits with at most one point or comma; `text` is what errors quote.
    init(_ digits: Substring, within text: String) throws(PriceError) {
        let bytes = digits.utf8
        guard bytes.first != UInt8(ascii: "-") else { throw .negative(text: text) }
        let split = bytes.firstIndex { !(0x30...0x39).contains($0) }
        whole = bytes[..<(split ?? bytes.endIndex)]
        separator = split.map { bytes[$0] }
        decimals = split.map { bytes[bytes.index(after: $0)...] } ?? bytes[bytes.endIndex...]
        try validate(text)
    }

    private func validate(_ text: String) throws(PriceError) {
        if let separator {
            guard Self.separators.contains(separator), !decimals.isEmpty else {
                throw .notANumber(text: text)
            }
        }
        guard decimals.allSatisfy({ (0x30...0x39).contains($0) }) else {
            let rest = decimals.filter { !(0x30...0x39).contains($0) }
            throw rest.allSatisfy(Self.separators.contains)
                ? .thousandsSeparator(text: text) : .notANumber(text: text)
        }
        guard !whole.isEmpty || !decimals.isEmpty else { throw .notANumber(text: text) }
        guard whole.count <= 12, decimals.count <= 6 else { throw .tooLong(text: text) }
    }

    private static let separators = [UInt8(ascii: "."), UInt8(ascii: ",")]

    /// Whether the separator may as well group thousands: `1.999` and `1,999`, but not `0.999`.
    var mayGroupThousands: Bool {
        decimals.count == 3 && (1...3).contains(whole.count) && whole.first != 0x30
    }

    /// The number with a point, at least so many decimals, and no needless zeros.
    func canonical(minimumDecimals: Int) -> String {
        let significant = whole.drop { $0 == 0x30 }
        var kept = Array(decimals)
        while kept.count > minimumDecimals, kept.last == 0x30 { kept.removeLast() }
        while kept.count < minimumDecimals { kept.append(0x30) }
        var text = significant.isEmpty ? "0" : String(Substring(significant))
        guard !kept.isEmpty else { return text }
        text += "."
        text += String(decoding: kept, as: UTF8.self)
        return text
    }
}
