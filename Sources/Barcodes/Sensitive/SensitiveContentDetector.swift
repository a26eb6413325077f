/// A detector of personal content in successive scans from one scanner.
///
/// A driving licence has many lines, which a scanner may send as separate scans. After the detector has recognised one
/// line, it also hides the lines that follow immediately.
public struct SensitiveContentDetector: Sendable {
    /// The times, in microseconds, at which the first and the last key of a scan were pressed.
    public typealias Times = (start: Int64, end: Int64)

    /// Which kinds of content to hide, and which numbers never count as payment cards.
    public var hidden: HiddenContent
    /// The previous scan, if the next scan may contain another line of the same document; otherwise nil.
    ///
    /// `kind` is nil after a rejected scan that was not recognised as a line of a document.
    private var last: (kind: SensitiveContent.Kind?, end: Int64?)?

    /// The kinds of documents with lines that cannot be recognised on their own.
    private static let ofLines: [SensitiveContent.Kind?] = [.drivingLicence, .identityCard]
    /// The longest pause, in microseconds, between two lines of the same symbol.
    private static let longestLineGap: Int64 = 50_000
    /// The longest pause, in microseconds, before a licence element or rejected scan that continues a document.
    private static let longestElementGap: Int64 = 2_000_000

    /// Creates a detector for the scans of one scanner.
    ///
    /// Each scanner needs its own detector, because a detector compares each scan with the previous one.
    public init(hiding hidden: HiddenContent = HiddenContent()) {
        self.hidden = hidden
    }

    /// Looks for personal content in the next scan.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - times: When the scan was typed; nil if unknown.
    /// - Returns: The kind and length, or nil if the scan may be shown.
    public mutating func inspect(
        _ barcode: Barcode, at times: Times? = nil
    ) -> SensitiveContent? {
        let found = SensitiveContent.kind(of: barcode, hiding: hidden)
        let kind = found ?? continuedKind(barcode.text, at: times)
        last = Self.ofLines.contains(kind) ? (kind, times?.end) : nil
        return kind.map { SensitiveContent($0, barcode.text) }
    }

    /// Looks for personal content in a rejected scan; returns nil if the scan may be shown.
    ///
    /// A rejected scan shortly after a line of a driving licence or identity card counts as another line of it.
    package mutating func inspectFragment(
        _ text: String, at times: Times? = nil
    ) -> SensitiveContent? {
        let found = SensitiveContent.detectFragment(text, hiding: hidden)?.kind
        let kind = found ?? (follows(times, within: Self.longestElementGap) ? last?.kind : nil)
        last = (Self.ofLines.contains(kind) ? kind : nil, times?.end)
        return kind.map { SensitiveContent($0, text) }
    }

    /// Returns the kind of document that the text continues; nil if it continues no document.
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
