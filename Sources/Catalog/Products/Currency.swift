/// A currency of ISO 4217; a value that exists is a listed code.
package struct Currency: Hashable, Sendable {
    /// The three letters, in upper case.
    package let code: String
    /// How many decimals an amount usually has: 2 for EUR, 0 for JPY, 3 for KWD.
    package let minorDigits: Int

    /// Takes a code of ISO 4217 in either case; nil if the list has no such code.
    ///
    /// Rule: ISO 4217:2015, list one (current currencies and funds).
    package init?(_ code: String) {
        guard code.utf8.count == 3 else { return nil }
        let upper = Self.listed[code] == nil ? code.uppercased() : code
        guard let digits = Self.listed[upper] else { return nil }
        (self.code, minorDigits) = (upper, digits)
    }

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

extension Currency: CustomStringConvertible {
    /// The three letters.
    package var description: String { code }
}

extension Currency {
    /// The currency that a code or a sign in a price stands for; `known` decides a sign that several share.
    static func named(
        _ sign: String, in text: String, known: Currency?
    ) throws(PriceError) -> Currency {
        let bare = sign.hasSuffix(".") ? String(sign.dropLast()) : sign
        guard let codes = signs[sign] ?? signs[bare] else {
            guard let currency = Currency(bare) else {
                throw .unknownCurrency(text: text, found: sign)
            }
            return currency
        }
        if codes.count == 1, let currency = Currency(codes[0]) { return currency }
        guard let known, codes.contains(known.code) else {
            throw .ambiguousSign(text: text, sign: sign)
        }
        return known
    }

    /// The signs, each followed by the codes that share it.
    private static let signs: [String: [String]] = {
        var signs: [String: [String]] = [:]
        for line in list.split(separator: "\n") {
            for entry in line.split(separator: ",") {
                let parts = entry.split(separator: " ").map(String.init)
                signs[parts[0]] = Array(parts.dropFirst())
            }
        }
        return signs
    }()

    private static let list = """
        € EUR, £ GBP, ₹ INR, ₺ TRY, ₴ UAH, ₽ RUB, ₩ KRW, ₪ ILS, ₫ VND, ₦ NGN, ฿ THB, ₱ PHP, ₸ KZT, ₾ GEL
        zł PLN, Kč CZK, Ft HUF, Fr CHF, SFr CHF, Rp IDR, RM MYR, lei RON, руб RUB, грн UAH
        R$ BRL, US$ USD, C$ CAD, A$ AUD, NZ$ NZD, S$ SGD, HK$ HKD, NT$ TWD, 元 CNY, 円 JPY, 원 KRW
        $ USD CAD AUD NZD MXN SGD HKD TWD ARS CLP COP
        ¥ JPY CNY, kr SEK NOK DKK ISK, Rs INR PKR LKR NPR MUR SCR
        """
}
