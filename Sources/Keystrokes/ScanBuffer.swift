/// What has been typed of a scan so far.
struct ScanBuffer: Sendable {
    private var bytes = TypedBytes()
    private(set) var characterCount = 0
    private(set) var keyCount = 0
    /// How many of the keys were those of the scan's start.
    private var startKeyCount = 0
    private(set) var startMicroseconds: Int64 = 0
    /// What had a part in it so far.
    private(set) var features: ScanFeatures = []

    /// Whether what begins a scan has come.
    var hasStart: Bool { features.contains(.start) }

    /// Whether no character has come: only keys, at most, of one that takes several.
    var isBlank: Bool { characterCount == 0 && !hasStart }

    /// Whether nothing has come but what begins a scan.
    var isStartAlone: Bool { hasStart && characterCount == 0 && keyCount == startKeyCount }

    mutating func begin(at microseconds: Int64) {
        startMicroseconds = microseconds
    }

    @inline(__always)
    mutating func countKey() { keyCount += 1 }

    @inline(__always)
    mutating func append(_ scalar: UInt32) {
        characterCount += 1
        bytes.append(scalar)
    }

    mutating func note(_ feature: ScanFeatures) {
        features.formUnion(feature)
    }

    mutating func noteStart() {
        startKeyCount = keyCount
        note(.start)
    }

    mutating func clear() {
        bytes.removeAll()
        characterCount = 0
        keyCount = 0
        startKeyCount = 0
        features = []
    }
}

/// What becomes of it.
extension ScanBuffer {
    func rejection(_ broken: ScanBreak, at microseconds: Int64) -> Rejection {
        Rejection(
            reason: broken.reason, text: bytes.text, position: broken.position,
            key: broken.key?.unmapped,
            keyCount: keyCount, startMicroseconds: startMicroseconds, endMicroseconds: microseconds)
    }

    /// The scan that is complete, or why it is none.
    func complete(_ rules: ScanRules, at microseconds: Int64) -> ScanAssembler.Outcome {
        // Most scanners type the data and nothing else: then there is nothing to look for in it.
        if rules.typeDataAlone, rules.lengths.contains(characterCount), !bytes.begin(with: "]") {
            return .scan(
                Scan(
                    text: bytes.text, keyCount: keyCount, startMicroseconds: startMicroseconds,
                    endMicroseconds: microseconds, features: features))
        }
        switch rules.encoding.decoded(bytes.text) {
        case .text(let text):
            return complete(TypedText(text, rules), of: text, rules, at: microseconds)
        case .invalid(let offset):
            let broken = ScanBreak(reason: .wrongEncoding, position: offset)
            return .rejection(rejection(broken, at: microseconds))
        }
    }

    private func complete(
        _ typed: TypedText, of text: String, _ rules: ScanRules, at microseconds: Int64
    ) -> ScanAssembler.Outcome {
        let length = typed.text.unicodeScalars.count
        if length < rules.lengths.lowerBound {
            let broken = ScanBreak(reason: .tooShort, position: characterCount)
            return .rejection(rejection(broken, at: microseconds))
        }
        if length > rules.lengths.upperBound {
            let around = max(0, text.unicodeScalars.count - length)
            let position = min(rules.lengths.upperBound + around, characterCount)
            return .rejection(
                rejection(ScanBreak(reason: .tooLong, position: position), at: microseconds))
        }
        var features = features.union(typed.features)
        if rules.encoding != .characters { features.insert(.encoding) }
        return .scan(
            Scan(
                text: String(typed.text), aim: typed.aim, codeIdentifier: typed.codeIdentifier,
                keyCount: keyCount, startMicroseconds: startMicroseconds,
                endMicroseconds: microseconds, features: features))
    }
}

/// Why the keys of a scan can no longer become one, and where that was.
struct ScanBreak: Hashable, Sendable {
    var reason: Rejection.Reason
    /// The number of characters before that point.
    var position: Int
    var key: PressedKey?
}
