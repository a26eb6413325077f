/// A text that readers look at, and its digits, read once for all of them.
struct ScannedText {
    let text: String
    /// The text as a number, nil unless it is 1 to 18 digits.
    let digits: Digits?

    @inline(__always)
    init(_ text: String) {
        self.text = text
        digits = Digits(text)
    }
}

/// Every symbology and every kind of content has a reader. An AIM identifier names the one that
/// decides; without one, all are asked.
extension BarcodeDecoder {
    /// Looks at a text and the AIM identifier that came with it; nil if it reads something else.
    typealias Reader = @Sendable (BarcodeDecoder, ScannedText, AIMIdentifier?) -> Reading?

    /// Asks the reader that an AIM identifier names, or all that come into question.
    @inline(__always)
    func read(_ scanned: ScannedText, by aim: AIMIdentifier?) -> Reading {
        guard let aim else { return inferred(scanned, nil) }
        switch aim.content {
        case .ean13: return announcedEAN13(scanned.text, scanned.digits)
        case .ean13WithAddOn: return announcedEAN13WithAddOn(scanned)
        case .ean8: return announcedEAN8(scanned)
        case .addOn: return announcedAddOn(scanned, aim)
        case .interleaved: return announcedITF(scanned, hasCheckDigit: true)
        case .interleavedWithoutCheckDigit: return announcedITF(scanned, hasCheckDigit: false)
        case .gs1: return announcedElementStrings(scanned, aim)
        case .any: return inferred(scanned, aim)
        }
    }

    /// The readers of digits, asked if no identifier came; the likeliest first.
    static let ofDigits: [Reader] = [
        { $0.settings.ambiguousEightDigits == .ean8 ? $0.ean8($1, $2) : $0.upcE($1, $2) },
        { $0.settings.ambiguousEightDigits == .ean8 ? $0.upcE($1, $2) : $0.ean8($1, $2) },
        { $0.ean13($1, $2) },
        { $0.periodicalWithAddOn($1, $2) },
        { $0.itf14($1, $2) },
        { $0.productWithAddOn($1, $2) },
        { $0.unannouncedElementStrings($1, $2) },
    ]

    /// The readers of what any symbology can carry, asked if no identifier came, or that of such a
    /// symbology.
    static let ofContent: [Reader] = [
        { $0.webAddress($1, $2) },
        { $0.bracketedElementStrings($1, $2) },
        { $0.separatedElementStrings($1, $2) },
        { $0.dataMessage($1, $2) },
        { $0.hibc($1, $2) },
        { $0.pzn($1, $2) },
        { $0.libraryNumber($1, $2) },
        { $0.productInAnySymbology($1, $2) },
        { $0.isbn($1, $2) },
        { $0.issn($1, $2) },
        { $0.productAndSpacedAddOn($1, $2) },
    ]

    /// Asks all readers that come into question; if none accepts, the text is just a text.
    @inline(never)
    private func inferred(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading {
        var readings: [Reading] = []
        if aim == nil { for reader in Self.ofDigits { readings.add(reader(self, scanned, nil)) } }
        for reader in Self.ofContent { readings.add(reader(self, scanned, aim)) }
        if var label = label(scanned) {
            // The number may be one that GS1 gave to a product.
            label.alternatives = readings.filter {
                $0.gtin != nil && $0.kind != .inStore && !$0.isDoubtful
            }
            return label
        }
        if readings.isEmpty { return plainText(scanned, aim) }
        // Some numbers are as often just numbers.
        if readings.allSatisfy(\.isDoubtful) {
            var number = Reading(.text)
            number.number = scanned.text
            readings.append(number)
        }
        if let aim { for index in readings.indices { readings[index].symbology = aim.symbology } }
        var likeliest = readings.removeFirst()
        if !readings.isEmpty { likeliest.alternatives += readings }
        return likeliest
    }
}

extension [Reading] {
    fileprivate mutating func add(_ reading: Reading?) {
        if let reading { append(reading) }
    }
}
