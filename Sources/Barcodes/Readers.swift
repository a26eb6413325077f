/// Text to decode, and its numeric value, which is computed only once.
struct ScannedText {
    let text: String
    /// The text as a number; nil unless it consists of 1 to 18 digits.
    let digits: Digits?
    /// Whether FNC1, which scanners send as GS, was removed from the start or end of the text.
    let hasFNC1: Bool

    @inline(__always)
    init(_ text: String, hasFNC1: Bool = false) {
        self.text = text
        digits = Digits(text)
        self.hasFNC1 = hasFNC1
    }
}

/// Functions that choose the readers to try, based on the AIM identifier or the text.
extension BarcodeDecoder {
    /// A function that decodes one kind of text and returns nil for any other text.
    typealias Reader = @Sendable (BarcodeDecoder, ScannedText, AIMIdentifier?) -> Reading?

    @inline(__always)
    func read(_ scanned: ScannedText, by aim: AIMIdentifier?) -> Reading {
        guard let aim else { return inferred(scanned, nil) }
        switch aim.content {
        case .ean13: return announcedEAN13(scanned.text, scanned.digits)
        case .ean13WithAddOn: return announcedEAN13WithAddOn(scanned)
        case .ean8: return announcedEAN8(scanned)
        case .addOn(let length): return announcedAddOn(scanned, length)
        case .interleaved: return announcedITF(scanned, hasCheckDigit: true)
        case .interleavedWithoutCheckDigit: return announcedITF(scanned, hasCheckDigit: false)
        case .gs1: return ignoringFNC1(scanned) { announcedElementStrings($0, aim) }
        case .any: return inferred(scanned, aim)
        }
    }

    private func ignoringFNC1(
        _ scanned: ScannedText, _ read: (ScannedText) -> Reading
    ) -> Reading {
        guard scanned.text.utf8.first == ElementStringReader.separator else {
            return read(scanned)
        }
        return read(ScannedText(String(scanned.text.dropFirst()), hasFNC1: true)).moved(by: 1)
    }

    /// The readers for text that consists of digits and has no AIM identifier, likeliest first.
    static let ofDigits: [Reader] = [
        { $0.settings.ambiguousEightDigits == .ean8 ? $0.ean8($1, $2) : $0.upcE($1, $2) },
        { $0.settings.ambiguousEightDigits == .ean8 ? $0.upcE($1, $2) : $0.ean8($1, $2) },
        { $0.ean13($1, $2) },
        { $0.periodicalWithAddOn($1, $2) },
        { $0.itf14($1, $2) },
        { $0.productWithAddOn($1, $2) },
    ]

    /// The readers for text that is not all digits, from any symbology.
    static let ofTexts: [Reader] = [
        { $0.webAddress($1, $2) },
        { $0.bracketedElementStrings($1, $2) },
        { $0.dataMessage($1, $2) },
        { $0.hibc($1, $2) },
        { $0.issn($1, $2) },
        { $0.productAndSpacedAddOn($1, $2) },
        { $0.code39WithAsterisks($1, $2) },
    ]

    /// The readers for any text from any symbology, whether or not the text consists of digits.
    static let ofContent: [Reader] = [
        { $0.unannouncedElementStrings($1, $2) },
        { $0.pzn($1, $2) },
        { $0.libraryNumber($1, $2) },
        { $0.productInAnySymbology($1, $2) },
        { $0.isbn($1, $2) },
        { $0.separatedElementStrings($1, $2) },
    ]

    @inline(never)
    private func inferred(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading {
        ignoringFNC1(scanned) { scanned in
            // Like FNC1 before the text, FNC1 at its end is only a weak sign of GS1 content.
            guard scanned.text.utf8.last == ElementStringReader.separator else {
                return allReaders(scanned, aim)
            }
            return allReaders(ScannedText(String(scanned.text.dropLast()), hasFNC1: true), aim)
        }
    }

    private func allReaders(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading {
        var readings: [Reading] = []
        if scanned.digits == nil {
            for reader in Self.ofTexts { readings.add(reader(self, scanned, aim)) }
        } else if aim == nil {
            for reader in Self.ofDigits { readings.add(reader(self, scanned, aim)) }
        }
        for reader in Self.ofContent { readings.add(reader(self, scanned, aim)) }
        if var label = label(scanned) {
            // GS1 may have assigned the number to a product, too.
            label.alternatives = readings.filter {
                $0.gtin != nil && $0.kind != .inStore && !$0.isDoubtful
            }
            return label
        }
        if readings.isEmpty { return plainText(scanned, aim) }
        // If another reading is certain, element strings with errors are a wrong guess.
        if readings.contains(where: { !$0.isDoubtful && !$0.isBroken }) {
            readings.removeAll(where: \.isBroken)
        }
        // If all readings are doubtful, the text may just as well be a plain number.
        if readings.allSatisfy({ $0.isDoubtful }) {
            var number = Reading(.text)
            number.number = scanned.text
            readings.append(number)
        }
        if let aim { for index in readings.indices { readings[index].symbology = aim.symbology } }
        var likeliest = readings.removeFirst()
        if !readings.isEmpty { likeliest.alternatives = readings }
        return likeliest
    }
}

extension BarcodeDecoder {
    fileprivate func code39WithAsterisks(
        _ scanned: ScannedText, _ aim: AIMIdentifier?
    ) -> Reading? {
        guard scanned.text.utf8.first == "*", scanned.text.utf8.last == "*" else { return nil }
        let content = scanned.text.dropFirst().dropLast()
        if content.hasPrefix("*") { return nil }
        let reading = allReaders(ScannedText(String(content)), aim ?? AIMIdentifier("]A0"))
        return reading.kind == .text ? nil : reading.moved(by: 1)
    }
}

extension Reading {
    fileprivate var isBroken: Bool { gs1 != nil && !problems.allSatisfy(\.isWarning) }

    /// Returns the reading with each problem's position in the text moved by `offset` bytes.
    fileprivate func moved(by offset: Int) -> Reading {
        var reading = self
        for (index, problem) in problems.enumerated() {
            reading.problems[index].span = problem.span.map {
                $0.lowerBound + offset..<$0.upperBound + offset
            }
        }
        reading.alternatives = self.alternatives.map { $0.moved(by: offset) }
        return reading
    }
}

extension [Reading] {
    fileprivate mutating func add(_ reading: Reading?) {
        // Two readers may produce the same reading.
        guard var reading, !contains(reading) else { return }
        let others = reading.alternatives
        if !others.isEmpty { reading.alternatives = [] }
        append(reading)
        self += others
    }
}
