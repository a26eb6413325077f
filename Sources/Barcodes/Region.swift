/// A country whose rules for in-store codes are built in.
public enum Region: String, Hashable, Sendable, CaseIterable {
    /// Sweden.
    case sweden = "SE"
    /// Norway.
    case norway = "NO"
    /// Finland.
    case finland = "FI"
    /// Estonia.
    case estonia = "EE"
    /// Lithuania.
    case lithuania = "LT"
    /// Latvia.
    case latvia = "LV"
    /// Denmark.
    case denmark = "DK"
    /// Germany.
    case germany = "DE"
    /// The United Kingdom.
    case unitedKingdom = "GB"
    /// The United States.
    case unitedStates = "US"
}
