/// A buffer for the characters and other data of the scan in progress.
struct ScanBuffer: Sendable {
    private var bytes: [UInt8] = []
    private(set) var characterCount = 0
    private var keyCount = 0
    /// The value of ``keyCount`` once the start key or character has been typed; 0 if the scan has no start.
    private var startKeyCount = 0
    private var separatorKeys = SeparatorKeys()
    var startMicroseconds: Int64 = 0
    /// The AIM identifier, if the scanner sends it separately from the data.
    var aim: String?
    var features: ScanFeatures = []

    var hasStart: Bool { features.contains(.start) }

    /// Whether the scan has no start key, no start character and no other complete character.
    var isBlank: Bool { characterCount == 0 && !hasStart }

    var isStartAlone: Bool { hasStart && characterCount == 0 && keyCount == startKeyCount }

    mutating func countKey() { keyCount += 1 }

    mutating func append(_ character: Unicode.Scalar) {
        characterCount += 1
        if let encoded = UTF8.encode(character) { bytes.append(contentsOf: encoded) }
    }

    /// Returns the separator (RS, GS or EOT) that a key stands for after the text so far; nil if it stands for none.
    mutating func separator(of key: KeyCode) -> Unicode.Scalar? {
        separatorKeys.character(of: key, after: bytes.suffix(6))
    }

    mutating func recordStart() {
        startKeyCount = keyCount
        features.insert(.start)
    }

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        characterCount = 0
        keyCount = 0
        startKeyCount = 0
        separatorKeys = SeparatorKeys()
        aim = nil
        features = []
    }

    private var text: String { String(decoding: bytes, as: UTF8.self) }

    func rejection(_ broken: ScanBreak, at microseconds: Int64) -> Rejection {
        Rejection(
            reason: broken.reason, text: text, position: broken.position,
            key: broken.key?.unmapped, keyCount: keyCount,
            startMicroseconds: startMicroseconds, endMicroseconds: microseconds)
    }

    /// Returns the scan, or a rejection if its encoding is invalid or its length is not allowed.
    func complete(_ rules: ScanRules, at microseconds: Int64) -> ScanAssembler.Outcome {
        switch rules.settings.encoding.decoded(text) {
        case .text(let decoded): return complete(decoded, rules, at: microseconds)
        case .invalid(let offset):
            let broken = ScanBreak(reason: .wrongEncoding, position: offset)
            return .rejection(rejection(broken, at: microseconds))
        }
    }

    private func complete(
        _ decoded: String, _ rules: ScanRules, at microseconds: Int64
    ) -> ScanAssembler.Outcome {
        let typed = TypedText(decoded, aim: aim, rules)
        let lengths = rules.settings.lengths
        let length = typed.text.unicodeScalars.count
        if length < lengths.lowerBound {
            let broken = ScanBreak(reason: .tooShort, position: characterCount)
            return .rejection(rejection(broken, at: microseconds))
        }
        if length > lengths.upperBound {
            let around = max(0, decoded.unicodeScalars.count - length)
            let position = min(lengths.upperBound + around, characterCount)
            let broken = ScanBreak(reason: .tooLong, position: position)
            return .rejection(rejection(broken, at: microseconds))
        }
        var features = features.union(typed.features)
        if rules.settings.encoding != .characters { features.insert(.encoding) }
        return .scan(
            Scan(
                text: String(typed.text), aim: typed.aim, codeIdentifier: typed.codeIdentifier,
                keyCount: keyCount, startMicroseconds: startMicroseconds,
                endMicroseconds: microseconds, features: features))
    }
}

struct ScanBreak: Hashable, Sendable {
    var reason: Rejection.Reason
    /// The number of characters before the point at which the scan became invalid.
    var position: Int
    var key: PressedKey?
}
