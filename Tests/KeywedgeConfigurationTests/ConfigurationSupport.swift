import KeywedgeConfiguration

/// The sentences for what is wrong with a text; none where it is right.
func sentences(_ text: String, file: String = "k.yaml") -> [String] {
    do {
        _ = try Configuration.parse(text: text, file: file)
        return []
    } catch {
        return error.problems.map(\.description)
    }
}

/// The only scanner of a text.
func scanner(_ settings: String) throws -> ScannerConfiguration? {
    let text = "scanners:\n  - name: counter\n    \(settings)\n"
    return try Configuration.parse(text: text, file: "k.yaml").scanners.first
}

/// The sentences for one wrong setting of a scanner, which stands on line 3.
func scannerSentences(_ settings: String) -> [String] {
    sentences("scanners:\n  - name: counter\n    \(settings)\n")
}
