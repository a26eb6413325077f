/// A terminator that ends the scan unless a key follows at once, and then is data.
struct HeldTerminator: Hashable, Sendable {
    /// What it types; nil for a key that types nothing.
    let character: UInt32?
    /// The other half of a CR+LF.
    var second: UInt32?
    /// Its key.
    let key: UInt16

    init(character: UInt32?, key: UInt16) {
        self.character = character
        self.key = key
    }

    /// Whether a character is the rest of the CR+LF that this began.
    func isContinued(by character: UInt32) -> Bool {
        guard second == nil else { return false }
        return (self.character == 0x0D && character == 0x0A)
            || (self.character == 0x0A && character == 0x0D)
    }
}
