import KeywedgeConfiguration

/// Parses a configuration, and returns the messages about its problems; empty if it is valid.
func sentences(_ text: String, file: String = "k.yaml") -> [String] {
    do {
        _ = try Configuration.parse(text: text, file: file)
        return []
    } catch {
        return error.problems.map(\.description)
    }
}

/// Parses a configuration whose only scanner has these settings, and returns that scanner.
func scanner(_ settings: String) throws -> ScannerConfiguration? {
    let text = "scanners:\n  - name: counter\n    \(settings)\n"
    return try Configuration.parse(text: text, file: "k.yaml").scanners.first
}

/// Returns the messages about a scanner's setting, which is in line 3 of the configuration.
func scannerSentences(_ settings: String) -> [String] {
    sentences("scanners:\n  - name: counter\n    \(settings)\n")
}
