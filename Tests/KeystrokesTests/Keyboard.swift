import Keystrokes

/// Feeds an assembler key by key; each change comes 1 ms after the previous one.
struct Keyboard {
    var assembler: ScanAssembler
    var now: Int64 = 0
    private(set) var outcomes: [ScanAssembler.Outcome] = []

    init(_ settings: ScanSettings = ScanSettings()) {
        assembler = ScanAssembler(settings: settings)
    }

    mutating func feed(_ event: KeyEvent) {
        let outcome = assembler.feed(event)
        if outcome != .nothing { outcomes.append(outcome) }
    }

    mutating func change(_ key: KeyCode, _ value: Int32) {
        now += 1_000
        feed(.key(key, value, at: now))
        feed(.report(at: now))
    }

    mutating func down(_ key: KeyCode) { change(key, 1) }
    mutating func up(_ key: KeyCode) { change(key, 0) }

    mutating func press(_ keys: KeyCode...) {
        for key in keys {
            down(key)
            up(key)
        }
    }

    /// Types a text with the assembler's own key table, without Enter at the end.
    mutating func type(_ text: String) {
        let typist = Typist(table: assembler.settings.table, terminators: .enter)
        do {
            let events = try typist.events(
                for: text, endingWith: nil, pace: .milliseconds(1), startingAt: now + 1_000)
            for event in events { feed(event) }
            now = events.last?.microseconds ?? now
        } catch {
            fatalError("\(error)")
        }
    }

    mutating func drop() {
        now += 1_000
        feed(.dropped(at: now))
        feed(.report(at: now))
    }

    mutating func claim() {
        now += 1_000
        assembler.claimed(at: now)
    }

    mutating func wait(_ milliseconds: Int64) {
        now += milliseconds * 1_000
        let outcome = assembler.advance(to: now)
        if outcome != .nothing { outcomes.append(outcome) }
    }

    mutating func finish() {
        let outcome = assembler.finish()
        if outcome != .nothing { outcomes.append(outcome) }
    }

    var texts: [String] {
        outcomes.compactMap { if case .scan(let scan) = $0 { scan.text } else { nil } }
    }

    var rejections: [Rejection] {
        outcomes.compactMap { if case .rejection(let rejection) = $0 { rejection } else { nil } }
    }

    /// The outcomes so far: scans as their text, rejections as `reason 'text'@position/keys`.
    var story: [String] {
        outcomes.map {
            switch $0 {
            case .nothing: "nothing"
            case .scan(let scan): scan.text
            case .rejection(let it):
                "\(it.reason.rawValue) '\(it.text)'@\(it.position)/\(it.keyCount)"
            }
        }
    }
}
