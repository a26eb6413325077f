/// Looks for content that must not be seen in one scan after the other.
///
/// A driving licence has many lines, and a scanner that types may send each as a scan of its own.
/// Behind the first, all that start like elements of a licence are held to be its lines.
public struct SensitiveContentDetector: Sendable {
    private var isInLicence = false

    /// Makes a detector, one for each scanner.
    public init() {}

    /// Looks at the next scan.
    ///
    /// - Parameters:
    ///   - text: The characters read.
    ///   - aim: The AIM identifier that came ahead of the text, where it was split off.
    /// - Returns: The kind and length, or nil where the text may be seen.
    public mutating func inspect(_ text: String, aim: String? = nil) -> SensitiveContent? {
        if let found = SensitiveContent.detect(text, aim: aim) {
            isInLicence = found.kind == .drivingLicence
            return found
        }
        isInLicence = isInLicence && DrivingLicence.isElement(text)
        guard isInLicence else { return nil }
        return SensitiveContent(kind: .drivingLicence, length: text.unicodeScalars.count)
    }

    /// Looks at keys that are no scan, which may be a part of anything.
    ///
    /// A line of a licence that broke off does not end it.
    ///
    /// - Parameter text: What was typed before it broke.
    /// - Returns: The kind and length, or nil where the text may be seen.
    public mutating func inspectFragment(_ text: String) -> SensitiveContent? {
        let found = SensitiveContent.detectFragment(text)
        if found?.kind == .drivingLicence { isInLicence = true }
        guard isInLicence else { return found }
        return found
            ?? SensitiveContent(kind: .drivingLicence, length: text.unicodeScalars.count)
    }
}
