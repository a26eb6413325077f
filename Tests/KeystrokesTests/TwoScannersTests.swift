import Keystrokes
import Testing

/// Two scanners with different settings that type at the same time.
@Suite struct TwoScannersTests {
    @Test func eachIsReadAsItTypes() throws {
        var swapped = KeyTable.us
        for level in KeyLevel.all {
            (swapped[.y, level], swapped[.z, level]) = (swapped[.z, level], swapped[.y, level])
        }
        let settings = [
            ScanSettings(table: swapped, terminators: .init(keys: [.tab])),
            ScanSettings(hasAltNumpad: true, encoding: .utf8),
        ]
        let texts = ["zymology-1", "häßlich €"]
        var assemblers = settings.map { ScanAssembler(settings: $0) }
        let tapes = try zip(settings, texts).map { try $0.typing(of: $1) }
        var read = [[String](), []]
        for index in 0..<tapes.map(\.count).reduce(0, max) {
            for scanner in 0..<2 where index < tapes[scanner].count {
                if case .scan(let scan) = assemblers[scanner].feed(tapes[scanner][index]) {
                    read[scanner].append(scan.text)
                }
            }
        }
        #expect(read == [[texts[0]], [texts[1]]])
    }
}
