import Barcodes
import TestTexts
import Testing

struct RoundTripTests {
    private let decoder = BarcodeDecoder()
    private static let cset82 = Array(
        "!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")

    private func randomValue(_ generator: inout SplitMix) -> String {
        String(
            (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                Self.cset82.randomElement(using: &generator) ?? "A"
            })
    }

    private func randomMessage(_ generator: inout SplitMix) throws -> GS1Message {
        var elements: [GS1Element] = []
        let number = UInt64.random(in: 0..<10_000_000_000_000, using: &generator)
        let digits = String(repeating: "0", count: 13 - String(number).count) + String(number)
        let check = try #require(CheckDigit.gs1(for: digits))
        elements.append(
            GS1Element(try #require(ApplicationIdentifier("01")), digits + String(check)))
        for ai in ["10", "21", "99", "240", "17"] where Bool.random(using: &generator) {
            let value = ai == "17" ? "261231" : randomValue(&generator)
            elements.append(GS1Element(try #require(ApplicationIdentifier(ai)), value))
        }
        return GS1Message(elements: elements)
    }

    @Test(arguments: 0..<20) func elementsSurviveEachForm(seed: Int) throws {
        var generator = SplitMix(seed: UInt64(seed))
        for _ in 0..<50 {
            let message = try randomMessage(&generator)
            #expect(decoder.decode(message.bracketed, aim: nil).gs1 == message)
            #expect(decoder.decode(message.scanned, aim: "]C1").gs1 == message)
            let link = try #require(message.digitalLink)
            let read = try #require(decoder.decode(link, aim: "]Q1").gs1)
            #expect(Set(read.elements) == Set(message.elements))
            #expect(read.digitalLink == link)
        }
    }

    /// Rule: GS1 General Specifications, section 5.2.2.4.2.
    @Test(arguments: 0..<20) func upcEExpandsByItsLastDigitAndIsCompressedAgain(seed: Int) throws {
        var generator = SplitMix(seed: UInt64(seed))
        for _ in 0..<200 {
            let digits = (0..<6).map { _ in Int.random(in: 0...9, using: &generator) }
            let kept = [3: 3, 4: 4][digits[5]] ?? (digits[5] < 3 ? 2 : 5)
            let zeros = digits[5] == 3 || digits[5] == 4 ? 5 : 4
            let (start, rest) = (digits[..<kept], digits[kept..<5])
            let mark = digits[5] == 3 || digits[5] == 4 ? [] : [digits[5]]
            let middle = Array(repeating: 0, count: zeros)
            let body = digits[5] < 3 ? start + mark + middle + rest : start + middle + rest + mark
            let system = Int.random(in: 0...1, using: &generator)
            let number = ([system] + body).map(String.init).joined()
            let check = try #require(CheckDigit.gs1(for: number))
            let gtin = try GTIN(number + String(check))
            #expect(GTIN(upcE: "\(system)\(digits.map(String.init).joined())\(check)") == gtin)
            #expect(GTIN(upcE: try #require(gtin.upcE)) == gtin)
        }
        #expect(try GTIN("036000291452").upcE == nil)
    }

    @Test(arguments: 0..<20) func noTextTraps(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        let pieces = [
            "01", "09506000134352", "10", "(", ")", "\u{1D}", "https://", "/", "?", "%", "=", "&",
            "]E1",
            "12", "21", "é", "\u{1F600}", "0", "9", "X", "-", " ", "\\", "<", "8110", "8112",
            "\u{0}",
        ]
        let aims = [nil, "]E0", "]E3", "]E4", "]C1", "]d5", "]Q1", "]I3", "]X0", "]"]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            let aim = aims.randomElement(using: &generator) ?? nil
            let barcode = decoder.decode(text, aim: aim)
            #expect(barcode.text == text)
            let count = text.unicodeScalars.count
            for problem in barcode.problems {
                #expect((problem.span?.upperBound ?? 0) <= count)
            }
            #expect((SensitiveContent.detect(text, aim: aim)?.length ?? count) == count)
        }
    }

    @Test func aMessageAnswersByIdentifier() throws {
        let message = try #require(decoder.decode("(01)09506000134352(10)A", aim: nil).gs1)
        #expect(message["10"] == "A")
        #expect(message["21"] == nil)
        #expect(message["05"] == nil)
        #expect(message.elements.map(\.title) == ["GTIN", "BATCH/LOT"])
        #expect(Set(message.elements + message.elements).count == 2)
    }
}

extension GS1Message {
    /// The elements as a scanner may send them: with a separator after each but the last.
    fileprivate var scanned: String {
        elements.map { $0.ai + $0.value }.joined(separator: "\u{1D}")
    }
}
