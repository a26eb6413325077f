/// A decoder that determines the meaning of scanned text and reports its problems.
///
/// It keeps no state and uses no clock or files: the same text and settings always give the same result.
public struct BarcodeDecoder: Sendable {
    /// The decoder's information about the shop and its scanners.
    public let settings: Settings
    /// The in-store patterns in the order in which they are tried: first the shop's, then its region's.
    let patterns: [InStorePattern]

    /// Creates a decoder; with the default settings, it knows no region and no in-store patterns.
    public init(settings: Settings = .init()) {
        self.settings = settings
        let regional = settings.region?.patternTexts.compactMap { try? InStorePattern($0) }
        patterns = settings.inStorePatterns + (regional ?? [])
    }

    /// Decodes text whose AIM identifier was already split off.
    ///
    /// - Parameters:
    ///   - text: The scanned characters, without AIM identifier, prefix, suffix or terminator.
    ///   - aim: The AIM identifier that came before the text, for instance `]E0`; nil if the scanner
    ///     sent none. The symbology is then inferred from the text.
    /// - Returns: The decoded barcode; its kind is `text` if nothing else fits.
    public func decode(_ text: String, aim: String?) -> Barcode {
        let identifier = aim.flatMap { AIMIdentifier($0) }
        var barcode = decode(text, by: identifier)
        if let aim, identifier == nil {
            barcode.reading.problems.append(
                Problem(
                    code: .invalidAIMIdentifier, severity: .warning,
                    message: "\"\(aim)\" is not an AIM identifier: "
                        + "expected ], a letter and a digit or letter."))
        }
        return barcode
    }

    /// Decodes a scan that may start with an AIM identifier.
    ///
    /// - Parameter scan: All characters that the scanner sent, without prefix, suffix or terminator.
    /// - Returns: The decoded barcode; its `text` does not contain the identifier.
    public func decode(_ scan: String) -> Barcode {
        let (aim, text) = AIMIdentifier.split(scan)
        return decode(text, by: aim)
    }

    @inline(__always)
    private func decode(_ text: String, by aim: AIMIdentifier?) -> Barcode {
        var barcode = Barcode(text: text, aim: aim, reading: read(ScannedText(text), by: aim))
        if barcode.reading.isRemarkable { barcode.describeProblems() }
        return consume barcode
    }
}

extension BarcodeDecoder {
    /// Facts about the shop and its scanners that the decoder cannot learn from a code.
    public struct Settings: Hashable, Sendable {
        /// How to read 8 digits that fit both EAN-8 and UPC-E, if the scanner sends no AIM identifier.
        public enum EightDigits: String, Hashable, Sendable, CaseIterable {
            case ean8 = "ean-8"
            case upcE = "upc-e"
        }

        /// The content to expect when neither an AIM identifier nor the text itself reveals it.
        public enum Content: String, Hashable, Sendable, CaseIterable {
            /// Any content; GS1 element strings are recognised only if they contain a separator or brackets.
            case any
            /// Any content; GS1 element strings are recognised even without separators or brackets.
            case gs1
        }

        /// The form in which the scanner sends UPC-E if it sends no AIM identifier.
        public enum UPCE: String, Hashable, Sendable, CaseIterable {
            /// The scanner sends UPC-E as UPC-A, or as 8 digits.
            case expanded
            /// The scanner sends UPC-E as UPC-A, or as 6 to 8 digits.
            case unexpanded
        }

        /// The country whose rules for in-store codes apply; nil for none.
        public var region: Region?
        /// The shop's own in-store patterns, tried in this order and before those of the region.
        public var inStorePatterns: [InStorePattern]
        /// How to read 8 digits that fit both EAN-8 and UPC-E, if the scanner sends no AIM identifier.
        public var ambiguousEightDigits: EightDigits
        /// The content to expect when neither an AIM identifier nor the text itself reveals it.
        public var content: Content
        /// How the scanner sends UPC-E if it sends no AIM identifier.
        public var upcE: UPCE

        /// Creates settings; the defaults include no region and no in-store patterns.
        public init(
            region: Region? = nil, ambiguousEightDigits: EightDigits = .ean8,
            inStorePatterns: [InStorePattern] = [], content: Content = .any,
            upcE: UPCE = .expanded
        ) {
            self.region = region
            self.ambiguousEightDigits = ambiguousEightDigits
            self.inStorePatterns = inStorePatterns
            self.content = content
            self.upcE = upcE
        }
    }
}
