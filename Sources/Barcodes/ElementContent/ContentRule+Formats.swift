extension ContentRule {
    /// Checks the formats that a look at a few characters decides.
    func formatViolation(in value: Span<UInt8>) -> Violation? {
        switch self {
        case .hasnondigit: Self.allDigitsViolation(in: value)
        case .nonzero: Self.zeroViolation(in: value)
        case .pcenc: Self.percentViolation(in: value)
        case .nozeroprefix: Self.zeroPrefixViolation(in: value)
        default: characterByCharacterViolation(in: value)
        }
    }

    private func characterByCharacterViolation(in value: Span<UInt8>) -> Violation? {
        switch self {
        case .hyphen: Self.stranger(to: "-", .missingHyphen, "a hyphen", in: value)
        case .winding:
            Self.stranger(
                to: "019", .invalidWinding, "a winding direction 0, 1 or 9", in: value)
        case .yesno:
            Self.stranger(to: "01", .invalidYesNo, "0 for no or 1 for yes", in: value)
        case .zero: Self.stranger(to: "0", .zeroRequired, "the digit 0", in: value)
        default:
            Self.stranger(
                to: Self.importerIndexes, .invalidImporterIndex, "a letter, digit, - or _",
                in: value)
        }
    }

    private static func stranger(
        to set: String, _ code: Problem.Code, _ expected: String, in value: Span<UInt8>
    ) -> Violation? {
        value.firstIndex { !set.utf8.contains($0) }.map {
            Violation(code, $0..<$0 + 1, expected)
        }
    }

    private static let importerIndexes =
        "-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    private static func allDigitsViolation(in value: Span<UInt8>) -> Violation? {
        guard value.firstIndex(where: { !$0.isDigit }) == nil else { return nil }
        return Violation(
            .missingNonDigit, 0..<value.count, "at least one character that is no digit")
    }

    private static func zeroViolation(in value: Span<UInt8>) -> Violation? {
        guard value.firstIndex(where: { $0 != UInt8(ascii: "0") }) == nil else { return nil }
        return Violation(.zeroNotAllowed, 0..<value.count, "a number other than 0")
    }

    private static func zeroPrefixViolation(in value: Span<UInt8>) -> Violation? {
        guard value.count > 1, value[0] == UInt8(ascii: "0") else { return nil }
        return Violation(.leadingZero, 0..<1, "a number without leading zero")
    }

    private static func percentViolation(in value: Span<UInt8>) -> Violation? {
        var index = value.firstIndex(of: UInt8(ascii: "%"), from: 0)
        while index < value.count {
            guard index + 2 < value.count, value[index + 1].hexValue != nil,
                value[index + 2].hexValue != nil
            else {
                return Violation(
                    .invalidPercentEncoding, index..<min(index + 3, value.count),
                    "two hexadecimal digits behind %")
            }
            index = value.firstIndex(of: UInt8(ascii: "%"), from: index + 3)
        }
        return nil
    }
}
