/// A currency of ISO 4217; a value that exists is a listed code.
package struct Currency: Hashable, Sendable {
    /// The three letters, in upper case.
    package let code: String
    /// How many decimals an amount usually has: 2 for EUR, 0 for JPY, 3 for KWD.
    package let minorDigits: Int

    /// Takes a code of ISO 4217; nil where the list has no such code.
    ///
    /// - Parameter code: Three letters, in either case.
    ///
    /// Rule: ISO 4217:2015, list one (current currencies and funds).
    package init?(_ code: String) {
        if let digits = Self.listed[code] {
            self.init(code: code, minorDigits: digits)
            return
        }
        let upper = code.uppercased()
        guard code.utf8.count == 3, let digits = Self.listed[upper] else { return nil }
        self.init(code: upper, minorDigits: digits)
    }

    private init(code: String, minorDigits: Int) {
        self.code = code
        self.minorDigits = minorDigits
    }
}

extension Currency: CustomStringConvertible {
    /// The three letters.
    package var description: String { code }
}

extension Currency {
    /// Every code with its number of decimals.
    private static let listed: [String: Int] = {
        var listed: [String: Int] = [:]
        for (digits, codes) in [(0, noDecimals), (2, twoDecimals), (3, threeDecimals)] {
            for code in codes.split(whereSeparator: \.isWhitespace) {
                listed[String(code)] = digits
            }
        }
        return listed
    }()

    private static let noDecimals = """
        BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF
        """

    private static let threeDecimals = "BHD IQD JOD KWD LYD OMR TND"

    // BGN and ANG have left the list; catalogs written before still name them.
    private static let twoDecimals = """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN
        BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
        GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR
        LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD
        PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN
        SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW
        ZWG
        """
}
