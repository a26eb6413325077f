import TestTexts
import Testing

@testable import Keystrokes

/// Scanners that send a stream of bytes.
@Suite struct ByteStreamTests {
    private struct Byte {
        var value: UInt8
        var time: Int64
    }

    /// Returns scans as their texts, and rejections as their reasons in angle brackets.
    private func outcomes(
        of bytes: [Byte], _ change: (inout ScanSettings) -> Void = { _ in }
    ) -> [String] {
        var settings = ScanSettings()
        change(&settings)
        var assembler = ScanAssembler(settings: settings.forBytes)
        let outcomes =
            bytes.map { assembler.feed(byte: $0.value, at: $0.time) } + [assembler.finish()]
        return outcomes.compactMap { outcome in
            switch outcome {
            case .nothing: nil
            case .scan(let scan): (scan.aim ?? "") + scan.text
            case .rejection(let rejection): "<\(rejection.reason.rawValue)>"
            }
        }
    }

    /// Returns bytes 1 ms apart; a number adds a pause in milliseconds.
    private func bytes(_ parts: Any...) -> [Byte] {
        var time: Int64 = 0
        var bytes: [Byte] = []
        for part in parts {
            if let pause = part as? Int { time += Int64(pause) * 1_000 }
            for value in (part as? String).map({ Array($0.utf8) }) ?? part as? [UInt8] ?? [] {
                time += 1_000
                bytes.append(Byte(value: value, time: time))
            }
        }
        return bytes
    }

    @Test func aCarriageReturnEndsAScan() {
        #expect(
            outcomes(of: bytes("4006381333931\r", "]C1 A\u{1D}B\r\n", "x\r")) == [
                "4006381333931", "]C1 A\u{1D}B", "x",
            ])
    }

    @Test(arguments: [
        (ScanSettings.Terminators(keys: [.tab]), "a\tb\t", ["a", "b"]),
        (ScanSettings.Terminators(keys: [.esc]), "a\u{1B}b\r\u{1B}", ["a", "b\r"]),
        (ScanSettings.Terminators(characters: ["\n"]), "a\nb\n", ["a", "b"]),
        (ScanSettings.Terminators(keys: [KeyCode(rawValue: 66)]), "a\r", ["a"]),
    ])
    func otherTerminators(terminators: ScanSettings.Terminators, text: String, scans: [String]) {
        #expect(outcomes(of: bytes(text)) { $0.terminators = terminators } == scans)
    }

    @Test func aStartAndAnEndFrameAScan() {
        let framed = bytes("\u{2}a\rb\u{3}", "noise\u{3}", "\u{2}c\u{3}")
        #expect(
            outcomes(of: framed) {
                $0.start = ScanSettings.Terminators(characters: ["\u{2}"])
                $0.terminators = ScanSettings.Terminators(characters: ["\u{3}"])
            } == ["a\rb", "<no-start>", "c"])
    }

    @Test func withoutTerminatorsAPauseEndsAScan() {
        #expect(
            outcomes(of: bytes("a\rb", 600, "c")) { $0.terminators = .none } == ["a\rb", "c"])
    }

    @Test func aPauseBreaksAScanUpToItsTerminator() {
        #expect(outcomes(of: bytes("400638", 600, "1333931\r", "x\r")) == ["<idle>", "x"])
        #expect(outcomes(of: bytes("400638", 11_000, "x\r")) == ["<idle>", "x"])
    }

    @Test func bytesAreTextInTheScannersEncoding() {
        let umlaut: [UInt8] = [0xC3, 0xA4, 0x0D]
        #expect(outcomes(of: bytes(umlaut)) == ["ä"])
        #expect(outcomes(of: bytes([0xE4, 0x0D] as [UInt8])) == ["<wrong-encoding>"])
        #expect(
            outcomes(of: bytes([0xE4, 0x80, 0x0D] as [UInt8])) { $0.encoding = .windows1252 }
                == ["ä€"])
        #expect(
            outcomes(of: bytes([0x83, 0x65, 0x0D] as [UInt8])) { $0.encoding = .shiftJIS } == ["テ"])
    }

    /// A slow, obvious second implementation of the rule.
    private func expected(_ bytes: [Byte]) -> [String] {
        var results: [String] = []
        var text = ""
        var (isBroken, isAfterEnd) = (false, false)
        var last: Int64 = 0
        for byte in bytes {
            let pause = byte.time - last
            if isBroken, pause >= 10_000_000 {
                results.append("<idle>")
                (text, isBroken) = ("", false)
            } else if !text.isEmpty, pause >= 500_000 {
                isBroken = true
                if pause >= 10_000_000 {
                    results.append("<idle>")
                    (text, isBroken) = ("", false)
                }
            }
            last = byte.time
            let continuesEnd = isAfterEnd && text.isEmpty && !isBroken
            if byte.value == 0x0D {
                if isBroken || !text.isEmpty { results.append(isBroken ? "<idle>" : text) }
                (text, isBroken, isAfterEnd) = ("", false, true)
            } else if byte.value == 0x0A, continuesEnd, pause < 10_000_000 {
                isAfterEnd = true
            } else {
                text += String(Unicode.Scalar(byte.value))
                isAfterEnd = false
            }
        }
        if !text.isEmpty || isBroken { results.append("<idle>") }
        return results
    }

    @Test func randomStreamsFollowTheRule() {
        var random = SplitMix(seed: 34)
        let values: [UInt8] = [0x31, 0x32, 0x41, 0x0D, 0x0D, 0x0A]
        let pauses: [Int64] = [1, 1, 1, 1, 1, 1, 499, 500, 9_999, 10_000, 30_000]
        for _ in 0..<2_000 {
            var time: Int64 = 0
            let stream = (0..<30).map { _ in
                time += (pauses.randomElement(using: &random) ?? 1) * 1_000
                return Byte(value: values.randomElement(using: &random) ?? 0, time: time)
            }
            #expect(outcomes(of: stream) == expected(stream))
        }
    }
}
