import WireText

extension AddressError.Problem {
    /// Says what is wrong with the encoding of a path.
    ///
    /// - Parameter text: The path, encoded.
    init?(inPath text: some StringProtocol) {
        self.init(PercentEncoding.fault(in: text, allowing: Self.isPathCharacter))
    }

    /// Says what is wrong with the encoding of a query.
    ///
    /// - Parameter text: The query, encoded.
    init?(inQuery text: some StringProtocol) {
        self.init(
            PercentEncoding.fault(in: text) { byte in
                Self.isPathCharacter(byte) || byte == UInt8(ascii: "?")
            })
    }

    private init?(_ fault: PercentEncoding.Fault?) {
        switch fault {
        case nil: return nil
        case .percentSign(let offset): self = .percentSign(offset: offset)
        case .character(let character, let offset): self = .character(character, offset: offset)
        }
    }

    /// What may stand in a path, besides percent-encoded bytes.
    ///
    /// Rule: RFC 3986, section 3.3.
    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte)
    }
}
