import Barcodes
import EvdevInput
import Keystrokes

extension ScanAnticipation {
    /// Gets retail codes ready: their check digit tells where they may end.
    ///
    /// - Parameter slot: Where they lie until they are whole.
    init(into slot: ReadySlot) {
        self.init(
            isLikelyWhole: {
                Self.gtinLengths.contains($0.text.utf8.count) && CheckDigit.isValid($0.text)
            },
            release: { slot.release($1, from: $0.name) })
    }

    private static let gtinLengths: Set = [8, 12, 13, 14]
}
