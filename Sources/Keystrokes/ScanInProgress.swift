/// What has come of a scan so far.
struct ScanInProgress: Sendable {
    /// Why the keys can no longer become a scan.
    private struct Break {
        var reason: Rejection.Reason
        var position: Int
        var key: UnmappedKey?
    }

    /// Whether a key has come since the last scan ended.
    private(set) var isInProgress = false
    /// When the last key came.
    private(set) var lastKeyMicroseconds: Int64 = 0

    private var bytes = TypedBytes()
    private(set) var characterCount = 0
    private var keyCount = 0
    private var startMicroseconds: Int64 = 0
    private var broken: Break?
    /// What had a part in it so far.
    private(set) var features: ScanFeatures = []

    var isTorn: Bool { broken?.reason == .torn }

    @inline(__always)
    mutating func append(_ scalar: UInt32, limit: Int, at microseconds: Int64) {
        countKey(at: microseconds)
        append(scalar, limit: limit)
    }

    /// A character came of keys that are counted already.
    @inline(__always)
    mutating func append(_ scalar: UInt32, limit: Int) {
        guard broken == nil else { return }
        guard characterCount < limit else {
            broken = Break(reason: .tooLong, position: characterCount)
            return
        }
        characterCount += 1
        bytes.append(scalar)
    }

    @inline(__always)
    mutating func countKey(at microseconds: Int64) {
        begin(at: microseconds)
        keyCount += 1
    }

    /// A key came that a later one will be counted for.
    mutating func open(at microseconds: Int64) {
        begin(at: microseconds)
    }

    mutating func note(_ feature: ScanFeatures) {
        features.insert(feature)
    }

    /// A key that is no data came: it starts nothing, but a scan in progress is not idle.
    mutating func keepAlive(at microseconds: Int64) {
        if isInProgress { lastKeyMicroseconds = microseconds }
    }

    mutating func meetUnmappedKey(_ key: UnmappedKey, at microseconds: Int64) {
        countKey(at: microseconds)
        if broken == nil {
            broken = Break(reason: .unmappedKey, position: characterCount, key: key)
        }
    }

    mutating func breakOff(_ reason: Rejection.Reason, at microseconds: Int64) {
        begin(at: microseconds)
        if broken == nil { broken = Break(reason: reason, position: characterCount) }
    }

    /// A key that was counted before turns out to be none the table knows.
    mutating func breakOff(atKey key: UnmappedKey) {
        if broken == nil {
            broken = Break(reason: .unmappedKey, position: characterCount, key: key)
        }
    }

    /// What begins a scan came.
    mutating func countStart(at microseconds: Int64) {
        countKey(at: microseconds)
        note(.start)
    }

    /// Whether no character has come: only keys, at most, of one that takes several.
    var isBlank: Bool { characterCount == 0 && broken == nil && !features.contains(.start) }

    /// Whether nothing has come that counts as a key.
    var countsNoKey: Bool { keyCount == 0 }

    /// Whether nothing has come but what begins a scan.
    var isStartAlone: Bool { features == .start && keyCount == 1 && broken == nil }

    /// Keys were lost: that outweighs whatever else was wrong.
    mutating func tear(at microseconds: Int64) {
        begin(at: microseconds)
        if !isTorn { broken = Break(reason: .torn, position: characterCount) }
    }

    mutating func missTerminator() {
        if broken == nil { broken = Break(reason: .idle, position: characterCount) }
    }

    mutating func clear() {
        isInProgress = false
        bytes.removeAll()
        characterCount = 0
        keyCount = 0
        broken = nil
        features = []
    }

    @inline(__always)
    private mutating func begin(at microseconds: Int64) {
        lastKeyMicroseconds = microseconds
        guard !isInProgress else { return }
        isInProgress = true
        startMicroseconds = microseconds
    }
}

extension ScanInProgress {
    func rejection() -> Rejection? {
        broken.map { rejection($0) }
    }

    func complete(_ rules: ScanRules) -> ScanAssembler.Outcome {
        // Most scanners type the data and nothing else: then there is nothing to look for in it.
        if rules.typeDataAlone, rules.lengths.contains(characterCount), !bytes.begin(with: "]") {
            return .scan(
                Scan(
                    text: bytes.text, keyCount: keyCount, startMicroseconds: startMicroseconds,
                    endMicroseconds: lastKeyMicroseconds, features: features))
        }
        switch rules.encoding.decoded(bytes.text) {
        case .text(let text):
            return complete(TypedText(text, rules), of: text, rules)
        case .invalid(let offset):
            return .rejection(rejection(Break(reason: .wrongEncoding, position: offset)))
        }
    }

    private func complete(
        _ typed: TypedText, of text: String, _ rules: ScanRules
    ) -> ScanAssembler.Outcome {
        let length = typed.text.unicodeScalars.count
        if length < rules.lengths.lowerBound {
            return .rejection(rejection(Break(reason: .tooShort, position: characterCount)))
        }
        if length > rules.lengths.upperBound {
            let around = max(0, text.unicodeScalars.count - length)
            let position = min(rules.lengths.upperBound + around, characterCount)
            return .rejection(rejection(Break(reason: .tooLong, position: position)))
        }
        var features = features.union(typed.features)
        if rules.encoding != .characters { features.insert(.encoding) }
        return .scan(
            Scan(
                text: String(typed.text), aim: typed.aim, codeIdentifier: typed.codeIdentifier,
                keyCount: keyCount, startMicroseconds: startMicroseconds,
                endMicroseconds: lastKeyMicroseconds, features: features))
    }

    private func rejection(_ reason: Break) -> Rejection {
        Rejection(
            reason: reason.reason, text: bytes.text, position: reason.position, key: reason.key,
            keyCount: keyCount, startMicroseconds: startMicroseconds,
            endMicroseconds: lastKeyMicroseconds)
    }
}
