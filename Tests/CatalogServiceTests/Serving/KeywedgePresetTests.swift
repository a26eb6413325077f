import Barcodes
import Catalog
import Foundation
import HTTPCatalog
import HTTPService
import KeywedgeConfiguration
import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing
import WireText

@testable import CatalogService

/// Tests the preset `keywedge` with the service it is for.
@Suite(.timeLimit(.minutes(10))) struct KeywedgePresetTests {
    private static let secret = "0123456789abcdef"

    private let scratch: TemporaryFolder
    private let path: String
    private let shop: CatalogFile

    init() throws {
        scratch = try TemporaryFolder()
        path = scratch.path("shop.sqlite")
        shop = try CatalogFile(path: path, access: .writing)
        try shop.take(
            """
            id,code,name,price,currency,unit,colour
            A1,4006381333931|PLU 7,"Stift ""88"" Größe L",1.99,EUR,pcs,blue
            A2,036000291452,UPC,349,JPY,,
            A3,09506000134352,GS1,,,,
            A4,4006381333931,the same code,2.10,EUR,,
            A5,..,dots,,,,
            A6,"a/b?c=d&e%20+",punctuation,,,,
            A7,🖊 été,letters,,,,
            """)
    }

    /// Looks up a code with the preset; `settings` follow its URL.
    private func ask(
        _ url: String, _ code: String, settings: String = ""
    ) async throws -> LookupAnswer {
        let (aim, text) = AIMIdentifier.split(code)
        let barcode = BarcodeDecoder().decode(text, aim: aim?.description)
        return try await opened(url, settings: settings).lookup(barcode, within: .seconds(1200))
    }

    private func opened(
        _ url: String, settings: String = "", clock: some Clock<Duration> = ContinuousClock()
    ) throws -> DeclaredCatalog {
        let yaml = "catalog: {sources: [{preset: keywedge, url: \"\(url)\"\(settings)}]}"
        let configuration = try Configuration.parse(text: yaml, file: "k.yaml")
        guard case .http(var catalog) = configuration.catalog.sources.first else {
            throw CancellationError()
        }
        // These times are long enough for a busy test machine.
        catalog.declaration.resilience.attemptTimeout = .patience
        catalog.declaration.resilience.connectTimeout = .patience
        return try CatalogFactory { _ in }.open(catalog, clock: clock)
    }

    private struct Unexpected: Error {
        let answer: LookupAnswer
    }

    private func match(_ answer: LookupAnswer) throws -> Match {
        if case .found(let match) = answer.outcome { return match }
        throw Unexpected(answer: answer)
    }

    private func failure(_ answer: LookupAnswer) throws -> LookupFailure {
        if case .failed(let failure) = answer.outcome { return failure }
        throw Unexpected(answer: answer)
    }

    /// Looks up product A2, and returns its price and the origin of the answer.
    private func price(_ catalog: DeclaredCatalog) async throws -> (String?, LookupOrigin?) {
        let barcode = BarcodeDecoder().decode("036000291452", aim: nil)
        let answer = await catalog.lookup(barcode, within: .seconds(1200))
        guard case .found(let match) = answer.outcome else { return (nil, answer.origin) }
        return (match.product.price?.amount, answer.origin)
    }

    @Test func everythingOfAProductArrives() async throws {
        try await Service.run(path) { service in
            let answer = try await ask(
                service.url, "4006381333931",
                settings: ", product: {attributes: {colour: [/attributes/colour]}}")
            let match = try match(answer)
            let euro = try unwrapped(Currency("EUR"))
            #expect(
                match.candidates == [
                    Product(
                        id: "A1", codes: ["4006381333931", "PLU 7"], name: "Stift \"88\" Größe L",
                        price: try Price(amount: "1.99", currency: euro), unit: "pcs",
                        attributes: ["colour": "blue"]),
                    Product(
                        id: "A4", codes: ["4006381333931"], name: "the same code",
                        price: try Price(amount: "2.10", currency: euro)),
                ])
            #expect(answer.origin == .network)
            #expect(answer.attempts == 1)
        }
    }

    private static let known = [
        "4006381333931", "04006381333931", "]E04006381333931", "PLU 7", "plu 7", "036000291452",
        "0036000291452", "]d2010950600013435210LOT-7\u{1D}21SER~9",
        "https://id.gs1.org/01/09506000134352/10/LOT-7", "..", "a/b?c=d&e%20+", "🖊 été",
    ]
    private static let unknown = [
        "4006381333948", "PLU 8", ".", "a/b", "%00", "\u{0}", "' OR 1=1 --", "x\r\nHost: x",
    ]

    @Test(arguments: known + unknown)
    func aCodeFindsWhatItFindsInTheCatalogItself(code: String) async throws {
        try await Service.run(path) { service in
            let (aim, text) = AIMIdentifier.split(code)
            let match = try shop.match(
                for: BarcodeDecoder().decode(text, aim: aim?.description))
            let answer = try await ask(service.url, code)
            let expected = match.map { $0.candidates.map(\.id) }
            #expect((expected == nil) == Self.unknown.contains(code))
            switch answer.outcome {
            case .found(let found): #expect(found.candidates.map(\.id) == expected)
            case .notFound: #expect(expected == nil)
            case .skipped: Issue.record("nothing was asked")
            case .failed(let failure): Issue.record("\(failure)")
            }
        }
    }

    @Test func withoutTheTokenItIsUnauthorised() async throws {
        let right = try scratch.write(Self.secret + "\n", to: "right")
        let wrong = try scratch.write("fedcba9876543210\n", to: "wrong")
        try await Service.run(path, token: Self.secret) { service in
            for (file, sentence) in [
                (nil, "This needs a token"), (wrong, "The token is not the one expected."),
            ] {
                let settings = file.map { ", auth: {bearer: {token_file: \"\($0)\"}}" }
                let answer = try await ask(service.url, "PLU 7", settings: settings ?? "")
                let failure = try failure(answer)
                #expect(failure.code == .unauthorized)
                #expect(failure.reason.description.contains(sentence), "\(failure.reason)")
                #expect(!failure.reason.description.contains("fedcba"))
            }
            let answer = try await ask(
                service.url, "PLU 7", settings: ", auth: {bearer: {token_file: \"\(right)\"}}")
            let match = try match(answer)
            #expect(match.product.id == "A1")
        }
    }

    @Test func aCatalogThatCannotBeReadIsNoProductThatIsMissing() async throws {
        try await Service.run(path) { service in
            try scratch.write("This is not a catalog.", to: "other")
            #expect(rename(scratch.path("other"), path) == 0)
            let answer = try await ask(service.url, "PLU 7", settings: ", attempts: 1")
            let failure = try failure(answer)
            #expect(
                failure.reason.description.contains("The catalog cannot be read at the moment"),
                "\(failure.reason)")
        }
    }

    @Test func aServiceThatIsGoneIsUnreachable() async throws {
        let url = try await Service.run(path) { $0.url }
        let answer = try await ask(url, "PLU 7", settings: ", attempts: 1")
        let failure = try failure(answer)
        #expect(failure.code == .unreachable)
    }

    @Test func aNewPriceIsSeenAfterTenSecondsAndAnOldOneOnlyWhileTheServiceIsAway() async throws {
        let clock = ManualClock()
        let catalog = try await Service.run(path) { service in
            let catalog = try opened(service.url, settings: ", attempts: 1", clock: clock)
            #expect(try await price(catalog) == ("349", .network))
            try shop.take("id,price,currency\nA2,299,JPY\n")
            clock.advance(by: .seconds(9))
            #expect(try await price(catalog) == ("349", .cache(age: .seconds(9))))
            clock.advance(by: .seconds(1))
            #expect(try await price(catalog) == ("299", .network))
            return catalog
        }
        clock.advance(by: .seconds(3600))
        #expect(try await price(catalog) == ("299", .stale(age: .seconds(3600))))
    }

    @Test func overTLSTheAuthorityIsSaidInTheSettings() async throws {
        let authority = try TestAuthority()
        let pair = try authority.certificate(for: ["127.0.0.1"])
        try Data(pair.certificate).write(to: URL(fileURLWithPath: scratch.path("cert")))
        try Data(pair.key).write(to: URL(fileURLWithPath: scratch.path("key")))
        try Data(authority.certificate).write(to: URL(fileURLWithPath: scratch.path("ca")))
        let identity = try ServerIdentity(
            certificate: scratch.path("cert"), key: scratch.path("key"))
        try await Service.run(path, identity: identity) { service in
            let stranger = try await ask(service.url, "PLU 7", settings: ", attempts: 1")
            let failure = try failure(stranger)
            #expect(failure.code == .tls)
            let ca = scratch.path("ca")
            let answer = try await ask(
                service.url, "PLU 7", settings: ", tls: {ca_file: \"\(ca)\"}")
            let match = try match(answer)
            #expect(match.product.id == "A1")
        }
    }
}
