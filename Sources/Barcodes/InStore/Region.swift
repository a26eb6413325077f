/// A country whose rules for in-store codes are built in.
public enum Region: String, Hashable, Sendable, CaseIterable {
    case sweden = "SE"
    case norway = "NO"
    case finland = "FI"
    case estonia = "EE"
    case lithuania = "LT"
    case latvia = "LV"
    case denmark = "DK"
    case germany = "DE"
    case unitedKingdom = "GB"
    case unitedStates = "US"
}

extension Region {
    /// The country's in-store layouts as patterns.
    ///
    /// Sources: GS1 Sweden, "Variable weight numbers"; GS1 Latvia, "Variable measure in Latvia" (for all Baltic
    /// countries); GS1 Finland, "How to identify a product (GTIN)"; GS1 Denmark, "GTIN-13 pris" and "GTIN-13 vægt"; GS1
    /// Germany, "Globale Artikelnummer (GTIN) in der Anwendung" and "SAN-4-Konzept"; GS1 UK, "How to barcode variable
    /// measure items"; GS1 US, "Variable measure items". Norway publishes no rules; its shops follow Sweden's.
    var patternTexts: [String] {
        switch self {
        case .sweden, .norway:
            ["20IIIIIIPP.PPK", "21IIIIIIPPP.PK", "22IIIIIIPPPP.K"] + Self.nordicWeights
        case .finland, .estonia, .latvia, .lithuania:
            Self.nordicWeights
        case .denmark:
            ["21IIIIPPPP.PPK", "22IIIIPPPP.PPK", "23IIIIPPPP.PPK", "24IIIIPPPP.PPK"]
                + ["26IIIIWWW.WWWK", "27IIIIIWW.WWWK", "28IIIIWWW.WWWK"]
        case .germany:
            ["22IIIICPPP.PPK", "23IIIICPPP.PPK", "25IIIICNNNNNK", "26IIIICNNNNNK"]
                + ["28IIIICWW.WWWK", "29IIIICWW.WWWK"]
        case .unitedKingdom: ["20IIIIICPP.PPK"]
        // Both patterns are used; the one with a check digit for the price is tried first.
        case .unitedStates: ["02IIIIICPP.PPK", "02IIIIIPPP.PPK"]
        }
    }

    private static let nordicWeights = ["23IIIIIIW.WWWK", "24IIIIIIWW.WWK", "25IIIIIIWWW.WK"]

    /// The currency (ISO 4217) of prices in in-store codes; nil if the country's codes contain no prices.
    public var currency: String? {
        switch self {
        case .sweden: "SEK"
        case .norway: "NOK"
        case .denmark: "DKK"
        case .germany: "EUR"
        case .unitedKingdom: "GBP"
        case .unitedStates: "USD"
        case .finland, .estonia, .latvia, .lithuania: nil
        }
    }
}
