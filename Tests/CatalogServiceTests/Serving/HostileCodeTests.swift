import Barcodes
import Catalog
import Foundation
import HTTPTypes
import TestFolders
import TestTexts
import Testing
import WebAPI

@testable import CatalogService

/// Tests that the service looks up exactly the code it is asked for, whatever characters it has.
@Suite(.timeLimit(.minutes(10))) struct HostileCodeTests {
    private static let pieces = [
        "/", "..", ".", "%", "%2F", "%00", "?", "#", "&", "=", "+", " ", "\"", "'", "\\", "<", ">",
        "\r\n", "\n", "\t", "\u{1D}", "\u{1B}[2J", "\u{7F}", "\u{85}", "\u{202E}", "\u{FEFF}", "é",
        "e\u{301}", "ß", "日本", "😀", "👩‍👩‍👧", "\u{10FFFF}", "]E0", "]d2", "(01)", "01", "4006381333931",
        "12345670", "https://id.gs1.org/01/", "{", "}", "[", "]", "|", "^", "`", "~", "*", ";",
        "--",
        "OR 1=1", "HTTP/1.1", "Host: x", "a", "Z", "0", "9",
    ]

    private static func codes(_ count: Int) -> [String] {
        var random = SplitMix(seed: 4711)
        var codes: Set<[UInt8]> = []
        while codes.count < count {
            let length = Int.random(in: 1...6, using: &random)
            let code = (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            codes.insert(Array(code.utf8))
        }
        return codes.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Adds a product for every second code to a catalog.
    private func fill(_ path: String, _ codes: [String]) throws {
        let products = codes.enumerated().filter { $0.offset % 2 == 0 }.map {
            Product(id: "P\($0.offset)", codes: [$0.element])
        }
        let catalog = try CatalogFile(path: path, access: .writing)
        try catalog.add(products)
    }

    @Test func everyCodeArrivesAsItIs() async throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("catalog.sqlite")
        let codes = Self.codes(Thoroughness.isAskedFor ? 20_000 : 500)
        try fill(path, codes)
        let embedded = try CatalogFile(path: path)
        let decoder = BarcodeDecoder()
        try await Service.run(path) { service in
            var found = 0
            for (index, code) in codes.enumerated() {
                let (aim, text) = AIMIdentifier.split(code)
                let barcode = decoder.decode(text, aim: aim?.description)
                let expected = try embedded.match(for: barcode)?.product.id
                #expect(try await service.id(code) == expected, "\(code.utf8.map { $0 })")
                if expected != nil { found += 1 }
                guard ![".", ".."].contains(code) else { continue }
                let target = "/v1/products/" + Self.encoded(code, capitals: index % 3 == 0)
                let id = try await service.get(target).json().text("/id")
                #expect(id == expected, "\(code.utf8.map { $0 })")
            }
            // Half of the codes belong to a product; a few of those are decoded as other codes.
            #expect(found > codes.count * 9 / 20)
        }
    }

    @Test func aCodeOfAnyLengthIsAnsweredUpToTheLimit() async throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path("catalog.sqlite")
        let longest = String(repeating: "\u{10FFFF}", count: CatalogRoutes.codeLength)
        try fill(path, [longest])
        try await Service.run(path) { service in
            #expect(try await service.id(longest) == "P0")
            let path = "/v1/products/" + Self.encoded(longest, capitals: true)
            #expect(try await service.get(path).json().text("/id") == "P0")
            let longer = try await service.get(path + "x")
            #expect(longer.status == .badRequest)
            #expect(try longer.json().text("/code") == "invalid-parameter")
        }
    }

    private static func encoded(_ text: String, capitals: Bool) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: capitals)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
