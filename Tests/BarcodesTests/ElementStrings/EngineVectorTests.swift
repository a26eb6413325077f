import Barcodes
import Foundation
import Testing

/// Compares our results with those of GS1's own engine, listed in `Tests/Vectors/gs1-engine.tsv`.
///
/// Source: the unit tests of GS1's Barcode Syntax Engine, version of 2026-06-23. A row has the kind of
/// input, the input, and the engine's result with `^` for FNC1; the result is empty if the engine refuses.
struct EngineVectorTests {
    private struct Vector {
        let kind: String
        let input: String
        let result: String
    }

    private static let vectors: [Vector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Vectors/gs1-engine.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(raw)
            return Vector(kind: fields[0], input: fields[1], result: fields[2])
        }
    }()

    /// Replaces the escapes `\x1d` and `\\` in a field by their characters.
    private static func raw(_ field: Substring) -> String {
        var text = ""
        var rest = field
        while let character = rest.popFirst() {
            if character == "\\", rest.popFirst() == "x" {
                text.unicodeScalars.append(Unicode.Scalar(UInt8(rest.prefix(2), radix: 16) ?? 0))
                rest = rest.dropFirst(2)
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// Deliberate differences: a scheme may be in mixed case, as in browsers; a UPC-A may lack its
    /// leading 0 after `]E0`; a composite that follows an EAN in the same text is not read.
    private static let differences = [
        "HtTp://a/b/00/006141411234567890", "]E0123456789012",
        "]E02112345678900|]e099COMPOSITE\u{1D}98XYZ", "]E402345673|]e099COMPOSITE\u{1D}98XYZ",
    ]

    private func vectors(_ kind: String) -> [Vector] {
        Self.vectors.filter { $0.kind == kind && !Self.differences.contains($0.input) }
    }

    private func decode(_ input: String) -> Barcode { BarcodeDecoder().decode(input) }

    /// Converts the engine's form of element strings to the text of a GS1-128.
    private func symbol(_ data: String) -> String {
        "]C1" + data.dropFirst().replacing("^", with: "\u{1D}")
    }

    private func isRefused(_ barcode: Barcode) -> Bool {
        barcode.gs1 == nil || barcode.problems.contains { $0.severity == .error }
    }

    @Test(arguments: [("brackets", 27), ("link", 94), ("data", 70), ("value", 90)])
    func elementStringsAreReadAlike(kind: String, least: Int) {
        let vectors = vectors(kind)
        #expect(vectors.count >= least)
        for vector in vectors {
            let isData = vector.input.hasPrefix("^")
            let barcode = decode(isData ? symbol(vector.input) : vector.input)
            #expect(isRefused(barcode) == vector.result.isEmpty, "\(vector.input)")
            guard vector.result.hasPrefix("^") else { continue }
            let expected = decode(symbol(vector.result)).gs1
            #expect(expected != nil && barcode.gs1 == expected, "\(vector.input)")
        }
    }

    @Test(arguments: [
        Problem.Code.requisiteMissing, .exclusivePair, .repeatedAIDiffers, .missingSerial,
    ])
    func whatBelongsTogetherIsCheckedAlike(code: Problem.Code) {
        let vectors = vectors(code.rawValue)
        #expect(vectors.count >= 9)
        for vector in vectors {
            let hasProblem = decode(vector.input).problems.contains { $0.code == code }
            #expect(hasProblem == vector.result.isEmpty, "\(vector.input)")
        }
    }

    @Test func symbolsAreReadAlike() {
        let vectors = vectors("scan")
        #expect(vectors.count >= 45)
        for vector in vectors {
            let barcode = decode(vector.input)
            let isRead = barcode.aim != nil && !barcode.problems.contains { $0.severity == .error }
            // We also read symbols without GS1 data that the engine does not know.
            if vector.result.isEmpty, !isRead || barcode.gs1 == nil && barcode.gtin == nil {
                continue
            }
            #expect(isRead && !vector.result.isEmpty, "\(vector.input)")
            guard vector.result.hasPrefix("^") else { continue }
            #expect(barcode.gs1 == decode(symbol(vector.result)).gs1, "\(vector.input)")
        }
    }
}
