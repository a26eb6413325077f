extension Duration {
    /// The duration as text, in the units used in the settings: `45us`, `4.3ms`, `500ms`, `1.5s`, `5min`, `7d 2h`.
    ///
    /// Durations are truncated, not rounded. A duration of at least a minute shows at most two units. A shorter one is
    /// precise to the millisecond or better. A negative duration is `0s`.
    package var text: String {
        let (seconds, attoseconds) = components
        let microseconds = attoseconds / 1_000_000_000_000
        guard seconds > 0 || seconds == 0 && microseconds > 0 else { return "0s" }
        switch seconds {
        case 0 where microseconds < 1000: return "\(microseconds)us"
        case 0 where microseconds < 10_000:
            return Self.decimal(microseconds / 1000, microseconds % 1000 / 100, digits: 1) + "ms"
        case 0: return "\(microseconds / 1000)ms"
        case ..<60: return Self.decimal(seconds, microseconds / 1000, digits: 3) + "s"
        case ..<3600: return Self.text(seconds, "min", 60, "s", 1)
        case ..<86_400: return Self.text(seconds, "h", 3600, "min", 60)
        default: return Self.text(seconds, "d", 86_400, "h", 3600)
        }
    }

    /// Formats a whole part and a fraction of `digits` digits: 1, 500 and 3 give `1.5`.
    private static func decimal(_ whole: Int64, _ fraction: Int64, digits: Int) -> String {
        let padded = String(String(fraction + 1_000_000).suffix(digits))
        let shown = padded.reversed().drop { $0 == "0" }.reversed()
        return shown.isEmpty ? "\(whole)" : "\(whole)." + String(shown)
    }

    private static func text(
        _ seconds: Int64, _ unit: String, _ size: Int64, _ part: String, _ partSize: Int64
    ) -> String {
        let rest = seconds % size / partSize
        return "\(seconds / size)\(unit)" + (rest == 0 ? "" : " \(rest)\(part)")
    }
}
