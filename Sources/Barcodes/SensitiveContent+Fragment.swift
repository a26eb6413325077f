extension SensitiveContent {
    /// Recognises what is left of such content that broke off, whatever stands around it.
    ///
    /// It is the start of a track and eight digits of a card's number, which are enough to name the
    /// issuer; of a card's number that was typed without a track, more digits of it than may be
    /// shown; a part of a machine-readable zone; the beginning of a licence. A prefix is not taken off
    /// yet, nor are substitutes put in.
    ///
    /// Use it for keys that are no scan; of a whole scan it would suspect too much.
    ///
    /// - Parameter text: What was typed before it broke.
    /// - Returns: The kind and the length, or nil where nothing is suspected.
    public static func detectFragment(_ text: String) -> SensitiveContent? {
        if let whole = detect(text) { return whole }
        let bytes = Array(text.utf8)
        for start in bytes.indices where isSentinel(bytes[start]) {
            let number = bytes[(start + 1)...].drop { $0 | 0x20 == UInt8(ascii: "b") }
            let digits = number.prefix { $0.isDigit || $0 == 0x20 }
            guard digits.count >= 8 else { continue }
            return SensitiveContent(kind: .magneticStripe, length: text.unicodeScalars.count)
        }
        let kind: Kind? =
            if PaymentCard.isHeld(in: bytes) {
                .paymentCard
            } else if MachineReadableZone.isFragment(bytes) {
                .travelDocument
            } else if DrivingLicence.isFragment(text) {
                .drivingLicence
            } else { nil }
        return kind.map { SensitiveContent(kind: $0, length: text.unicodeScalars.count) }
    }

    private static func isSentinel(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "+")
    }
}
