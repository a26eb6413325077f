extension Duration {
    /// The duration for people: `45 µs`, `12 ms`, `1.5 s`, `5 min`, `7 d`.
    var shortText: String {
        let (seconds, attoseconds) = components
        let microseconds = attoseconds / 1_000_000_000_000
        switch seconds {
        case ..<1 where microseconds < 1000: return seconds < 0 ? "0 s" : "\(microseconds) µs"
        case ..<1: return "\(microseconds / 1000) ms"
        case ..<60:
            let tenths = microseconds / 100_000
            return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
        case ..<3600: return Self.text(seconds, "min", 60, "s", 1)
        case ..<86_400: return Self.text(seconds, "h", 3600, "min", 60)
        default: return Self.text(seconds, "d", 86_400, "h", 3600)
        }
    }

    private static func text(
        _ seconds: Int64, _ unit: String, _ size: Int64, _ part: String, _ partSize: Int64
    ) -> String {
        let rest = seconds % size / partSize
        return "\(seconds / size) \(unit)" + (rest == 0 ? "" : " \(rest) \(part)")
    }
}
