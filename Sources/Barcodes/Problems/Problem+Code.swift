extension Problem {
    /// The name of a kind of problem; `docs/problems.md` explains each.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // MARK: Any code

        /// A check digit is not the one the other digits call for.
        case wrongCheckDigit = "wrong-check-digit"
        /// A check character is not the one the other characters call for.
        case wrongCheckCharacter = "wrong-check-character"
        /// Too few or too many characters.
        case wrongLength = "wrong-length"
        /// A character that is not allowed where it stands.
        case wrongCharacter = "wrong-character"
        /// The text can be read in several ways, and the reading is only the likeliest.
        case ambiguous
        /// The AIM identifier is none.
        case invalidAIMIdentifier = "invalid-aim-identifier"

        // MARK: Retail

        /// The number is one that GS1 keeps for demonstrations.
        case demonstrationNumber = "demonstration-number"
        /// The number starts with a prefix that GS1 gives to nobody.
        case reservedPrefix = "reserved-prefix"
        /// The check digit of the price in an in-store code does not fit.
        case wrongPriceCheckDigit = "wrong-price-check-digit"

        // MARK: GS1 element strings as a whole

        /// Digits that are no application identifier stand where one must.
        case unknownAI = "unknown-ai"
        /// An application identifier needs another one beside it.
        case requisiteMissing = "requisite-missing"
        /// A digital signature needs the serial component of the key beside it.
        case missingSerial = "missing-serial"
        /// Two application identifiers must not stand together.
        case exclusivePair = "exclusive-pair"
        /// An application identifier comes twice, with different values.
        case repeatedAIDiffers = "repeated-ai-differs"
        /// A separator (FNC1, GS) stands where none may.
        case misplacedFNC1 = "misplaced-fnc1"
        /// A separator (FNC1, GS) seems to be missing.
        case fnc1MissingSuspect = "fnc1-missing-suspect"

        /// The text reads as GS1 element strings, but nothing says that it is.
        case gs1Suspect = "gs1-suspect"

        // MARK: GS1 values

        /// No such day.
        case invalidDate = "invalid-date"
        /// No such time of day.
        case invalidTime = "invalid-time"
        /// A pair of check characters is not the one the other characters call for.
        case wrongCheckCharacters = "wrong-check-characters"
        /// A key does not start with a GS1 company prefix.
        case invalidCompanyPrefix = "invalid-company-prefix"
        /// No such country.
        case invalidCountry = "invalid-country"
        /// No such currency.
        case invalidCurrency = "invalid-currency"
        /// No such code for a person's sex.
        case invalidSex = "invalid-sex"
        /// No such media type.
        case invalidMediaType = "invalid-media-type"
        /// No such package type.
        case invalidPackageType = "invalid-package-type"
        /// A coupon's digits break its structure.
        case invalidCoupon = "invalid-coupon"
        /// A bank account number is wrong.
        case invalidIBAN = "invalid-iban"
        /// A latitude is out of range.
        case invalidLatitude = "invalid-latitude"
        /// A longitude is out of range.
        case invalidLongitude = "invalid-longitude"
        /// A piece's number and the total do not fit.
        case invalidPieceOfTotal = "invalid-piece-of-total"
        /// A position and the last position do not fit.
        case invalidPosition = "invalid-position"
        /// A character is no importer index.
        case invalidImporterIndex = "invalid-importer-index"
        /// A digit is no winding direction.
        case invalidWinding = "invalid-winding"
        /// A digit is neither yes nor no.
        case invalidYesNo = "invalid-yes-no"
        /// A percent sign without two hexadecimal digits behind it.
        case invalidPercentEncoding = "invalid-percent-encoding"
        /// A hyphen is missing.
        case missingHyphen = "missing-hyphen"
        /// A key of digits only, where another character is called for.
        case missingNonDigit = "missing-non-digit"
        /// A number is 0, where it must not be.
        case zeroNotAllowed = "zero-not-allowed"
        /// A digit is not 0, where it must be.
        case zeroRequired = "zero-required"
        /// A number starts with 0, where it must not.
        case leadingZero = "leading-zero"

        // MARK: Digital Links

        /// A Digital Link's path holds something that does not belong there.
        case invalidDigitalLink = "invalid-digital-link"
        /// A Digital Link is compressed, and its content hence unread.
        case compressedDigitalLink = "compressed-digital-link"
    }
}
