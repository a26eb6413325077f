/// Decodes scanned texts.
///
/// The decoder is a value: no state, no clock, no files. The same text, AIM identifier and
/// settings give the same result.
public struct BarcodeDecoder: Sendable {
    /// What the decoder cannot see in a code.
    public let settings: Settings
    /// The layouts of in-store codes of the shop and of its region, in the order to try.
    let patterns: [InStorePattern]

    /// Makes a decoder.
    public init(settings: Settings = .init()) {
        self.settings = settings
        let regional = settings.region?.patternTexts.compactMap { try? InStorePattern($0) }
        patterns = settings.inStorePatterns + (regional ?? [])
    }

    /// Decodes a text without its AIM identifier.
    ///
    /// - Parameters:
    ///   - text: The characters read, without AIM identifier, prefix, suffix and terminator.
    ///   - aim: The AIM identifier that came before the text, for instance `]E0`; nil if the
    ///     scanner sends none. Without one the symbology is inferred.
    /// - Returns: The meaning; of kind `text` if nothing else fits.
    public func decode(_ text: String, aim: String?) -> Barcode {
        let identifier = aim.flatMap { AIMIdentifier($0) }
        var barcode = decode(text, by: identifier)
        if let aim, identifier == nil {
            barcode.reading.problems.append(
                Problem(
                    code: .invalidAIMIdentifier, severity: .warning,
                    message: "\"\(aim)\" is no AIM identifier: "
                        + "expected ], a letter and a digit or letter."))
        }
        return barcode
    }

    /// Decodes a scan that may start with an AIM identifier.
    ///
    /// - Parameter scan: All characters a scanner sent, without prefix, suffix and terminator.
    /// - Returns: The meaning; the identifier is not in its text.
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
    /// Facts that a code does not show.
    public struct Settings: Hashable, Sendable {
        /// The symbology of 8 digits that fit both EAN-8 and UPC-E, without an AIM identifier.
        public enum EightDigits: String, Hashable, Sendable, CaseIterable {
            case ean8 = "ean-8"
            case upcE = "upc-e"
        }

        /// The possible content of a text without AIM identifier and without other evidence.
        public enum Content: String, Hashable, Sendable, CaseIterable {
            /// Anything; GS1 element strings only with a separator or brackets.
            case any
            /// GS1 element strings too.
            case gs1
        }

        /// How a UPC-E comes without AIM identifier.
        public enum UPCE: String, Hashable, Sendable, CaseIterable {
            /// As UPC-A, or as 8 digits.
            case expanded
            /// Also without its number system (0), its check digit, or both: as 6 or 7 digits.
            case unexpanded
        }

        /// The country whose rules for in-store codes hold; nil for none.
        public var region: Region?
        /// The shop's own layouts of in-store codes, tried in order and before the region's.
        public var inStorePatterns: [InStorePattern]
        /// The symbology of 8 digits that fit both EAN-8 and UPC-E.
        public var ambiguousEightDigits: EightDigits
        /// The possible content of a text without AIM identifier.
        public var content: Content
        /// How a UPC-E comes without AIM identifier.
        public var upcE: UPCE

        /// Settings; see the properties.
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
