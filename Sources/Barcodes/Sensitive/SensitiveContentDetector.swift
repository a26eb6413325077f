/// Looks for personal content in the scans of one scanner, one after the other.
///
/// A driving licence has many lines, and a scanner may send each as a scan of its own. The lines
/// that follow a recognised one at once are hidden too.
public struct SensitiveContentDetector: Sendable {
    /// When the first and the last key of a scan were pressed, in microseconds.
    public typealias Times = (start: Int64, end: Int64)

    /// The content to look for.
    public var hidden: HiddenContent
    /// The scan before, if the next may be another line of it; a kind of nil is a scan that broke.
    private var last: (kind: SensitiveContent.Kind?, end: Int64?)?

    /// Documents whose lines do not all show what they are.
    private static let ofLines: [SensitiveContent.Kind?] = [.drivingLicence, .identityCard]
    /// The longest pause between the lines of one symbol; between two symbols it is longer.
    private static let longestLineGap: Int64 = 50_000
    /// The longest pause before a text that looks like a licence's line and is one.
    private static let longestElementGap: Int64 = 2_000_000

    /// Makes a detector for one scanner.
    public init(hiding hidden: HiddenContent = HiddenContent()) {
        self.hidden = hidden
    }

    /// Looks at the next scan.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - times: When it was typed; nil if that is unknown.
    /// - Returns: The kind and length, or nil if the scan may be shown.
    public mutating func inspect(
        _ barcode: Barcode, at times: Times? = nil
    ) -> SensitiveContent? {
        let found = SensitiveContent.kind(of: barcode, hiding: hidden)
        let kind = found ?? continuedKind(barcode.text, at: times)
        last = Self.ofLines.contains(kind) ? (kind, times?.end) : nil
        return kind.map { SensitiveContent($0, barcode.text) }
    }

    /// Looks at a scan that broke off; if it was a line of a licence, the next lines are still hidden.
    package mutating func inspectFragment(
        _ text: String, at times: Times? = nil
    ) -> SensitiveContent? {
        let found = SensitiveContent.detectFragment(text, hiding: hidden)?.kind
        let kind = found ?? (follows(times, within: Self.longestElementGap) ? last?.kind : nil)
        last = (Self.ofLines.contains(kind) ? kind : nil, times?.end)
        return kind.map { SensitiveContent($0, text) }
    }

    /// The kind of the document of which a text is another line.
    private func continuedKind(_ text: String, at times: Times?) -> SensitiveContent.Kind? {
        guard let last else { return nil }
        if times != nil, let kind = last.kind, follows(times, within: Self.longestLineGap) {
            return kind
        }
        let isLine =
            hidden.kinds.contains(.drivingLicence) && last.kind != .identityCard
            && follows(
                times, within: last.kind == nil ? Self.longestLineGap : Self.longestElementGap)
            && Look.all(text).contains {
                DrivingLicence.isElement($0, ofPerson: last.kind == nil)
            }
        return isLine ? .drivingLicence : nil
    }

    private func follows(_ times: Times?, within pause: Int64) -> Bool {
        guard let last else { return false }
        guard let start = times?.start, let end = last.end else { return true }
        let gap = start.subtractingReportingOverflow(end)
        return !gap.overflow && gap.partialValue <= pause
    }
}
