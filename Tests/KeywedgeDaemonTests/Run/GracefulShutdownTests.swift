import Barcodes
import Catalog
import Events
import Foundation
import TestFolders
import TestWaiting
import Testing

@testable import KeywedgeDaemon

/// The end of a daemon whose embedded catalog is in the hands of another process.
@Suite struct GracefulShutdownTests {
    private let folder: TemporaryFolder
    private let path: String
    private let embedded: EmbeddedCatalog
    private let sources: CatalogSources

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write([], to: "catalog.sqlite")
        embedded = try EmbeddedCatalog(path: path, access: .writing, busyTimeout: .seconds(600))
        sources = CatalogSources(
            [Shop()],
            writeBack: WriteBack(to: embedded, from: ["shop"]) { Issue.record("\($0)") })
    }

    @Test func aLockedCatalogIsNotWaitedForAndIsNotTheConsumersFault() async throws {
        let lock = try FileLock(path)
        let ending = try await end(after: "4006381333931", within: .milliseconds(50))
        #expect(ending == .notWrittenBack(products: 1))
        #expect(try EmbeddedCatalog(path: path).count() == 0)
        lock.release()
        await sources.finish()
        #expect(try EmbeddedCatalog(path: path).product(id: "P4006381333931") != nil)
    }

    @Test func whatWasFoundIsWrittenBackBeforeTheEnd() async throws {
        #expect(try await end(after: "4006381333931", within: .seconds(600)) == .complete)
        #expect(try EmbeddedCatalog(path: path).product(id: "P4006381333931") != nil)
    }

    @Test func whatTheWorkThrowsIsTold() async throws {
        struct Broken: Error {}
        let end = GracefulShutdown(sources: { sources })
        await #expect(throws: Broken.self) {
            try await onItsOwnThread {
                try end.run(
                    on: MainLoop(), grace: .seconds(600), onSignal: {}, work: { throw Broken() })
            }
        }
    }

    @Test func thatNobodyTakesEventsAnyMoreIsNoQuietEnd() async throws {
        let end = GracefulShutdown(sources: { sources })
        let ending = try await onItsOwnThread {
            try end.run(
                on: MainLoop(), grace: .seconds(600), onSignal: {},
                work: { throw OutputError.closed(name: "pipe") })
        }
        #expect(ending == .abandoned)
    }

    /// Looks a code up, and ends.
    private func end(after code: String, within grace: Duration) async throws -> DaemonEnding {
        var end = GracefulShutdown(sources: { sources })
        end.writeBackGrace = grace
        return try await onItsOwnThread { [end, sources] in
            try end.run(on: MainLoop(), grace: .seconds(600), onSignal: {}) {
                #expect(await sources.lookup(Barcode(text: code)).status == .found)
            }
        }
    }
}

/// A catalog on the network that has everything.
private struct Shop: ProductSource {
    let name = "shop"

    func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        let product = Product(id: "P" + barcode.text, codes: [barcode.text])
        return LookupAnswer(.found(Match(key: .text, product: product)), origin: .network)
    }
}
