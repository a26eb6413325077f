import Catalog
import Foundation
import KeywedgeTestKit
import TestFolders
import TestTexts
import Testing
import WebAPI

@testable import HTTPCatalog

/// Tests that answers on the disk survive restarts, and what happens if the file is damaged.
@Suite struct AnswerFileTests {
    private static let now: Int64 = 1_800_000_000
    private let scratch: TemporaryFolder
    private var path: String { scratch.path("answers.sqlite") }

    init() throws { scratch = try TemporaryFolder() }

    /// Makes a catalog, as a process that starts now does.
    private func start(
        _ outputs: [Output], at wall: WallTime = WallTime(now), clock: ManualClock = ManualClock(),
        report: @escaping @Sendable (String) -> Void = { Issue.record("\($0)") },
        change: (inout HTTPCatalogDeclaration) -> Void = { _ in }
    ) throws -> DeclaredCatalog {
        DeclaredCatalog(
            try Shop.declaration(codes: CodeRules(), change: change),
            transport: StubTransport(outputs), file: try AnswerFile(path: path, report: report),
            clock: clock, date: { wall.date }, chance: { 0 })
    }

    /// Returns the answer for the code "a" in a process that starts while the service is down.
    private func outage(
        at wall: WallTime = WallTime(now), change: (inout HTTPCatalogDeclaration) -> Void = { _ in }
    ) async throws -> LookupAnswer {
        await (try start([Shop.refused, Shop.refused], at: wall, change: change)).lookup("a")
    }

    @Test func answersOutliveTheProcess() async throws {
        let wall = WallTime(Self.now)
        let first = try start([Shop.product("a", headers: [.eTag: "\"1\""])], at: wall)
        let answer = await first.lookup("a")
        // The answer must be in the file already, because the process may end here.
        wall.seconds += 100
        // The answer is asked for again, because the box's clock may have stood still while it was off.
        let kept = await (try start([Shop.status(304)], at: wall)).lookup("a")
        #expect(kept.outcome == answer.outcome)
        #expect(kept.origin == .network)

        wall.seconds += 1000
        let stale = try await outage(at: wall)
        #expect(stale.outcome == answer.outcome)
        #expect(stale.origin == .stale(age: .seconds(1000)))
    }

    /// When an answer is stored, when it is read, and its age during an outage; nil if it is not used.
    @Test(
        arguments: [
            (now, now + 50, 50), (now, now + 604_000, 604_000), (now, now + 700_000, nil),
            // If the clock was set back, or was not set, the answer counts as just stale.
            (now, now - 5000, 300), (now, 100, 300), (100, now, 300), (100, 50, 300),
            (100, 5000, 300),
        ] as [(Int64, Int64, Int?)])
    func agesAreCountedByClocksThatJump(stored: Int64, read: Int64, age: Int?) async throws {
        _ = await (try start([Shop.product("a")], at: WallTime(stored))).lookup("a")
        let answer = try await outage(at: WallTime(read))
        #expect(answer.origin == age.map { .stale(age: .seconds($0)) })
    }

    @Test func anAnswerOfABoxWithoutTimeAgesOnceTheClockIsSet() async throws {
        let wall = WallTime(100)
        _ = await (try start([Shop.product("a")], at: wall)).lookup("a")
        wall.seconds = Self.now
        #expect(try await outage(at: wall).origin == .stale(age: .seconds(300)))
        wall.seconds += 1000
        #expect(try await outage(at: wall).origin == .stale(age: .seconds(1300)))
        wall.seconds += 700_000
        #expect(try await outage(at: wall).price == nil)
    }

    /// During an outage, even after a restart, the register uses old prices for as long as the shop's settings allow,
    /// and always marks them as old.
    @Test(arguments: ["no-store", "max-age=0, must-revalidate", "max-age=1"])
    func aServiceThatGoesAwayLeavesItsPricesMarkedAsOld(caching: String) async throws {
        func change(_ declaration: inout HTTPCatalogDeclaration) {
            declaration.resilience.cache.staleIfError = .seconds(3 * 86_400)
        }
        let wall = WallTime(Self.now)
        let product = Shop.product("a", headers: [.cacheControl: caching])
        #expect(await (try start([product], at: wall, change: change)).lookup("a").price != nil)
        for (days, isKept) in [(1, true), (2, true), (4, false)] as [(Int64, Bool)] {
            wall.seconds = Self.now + days * 86_400
            let answer = try await outage(at: wall, change: change)
            #expect(answer.price == (isKept ? "3.49 EUR" : nil))
            #expect(answer.origin == (isKept ? .stale(age: .seconds(days * 86_400)) : nil))
            #expect((answer.originalFailure ?? answer.failure)?.code == .unreachable)
        }
    }

    @Test func answersOfAnotherDeclarationAreNotUsed() async throws {
        _ = await (try start([Shop.product("a")])).lookup("a")
        let other = try await outage { $0.product.unit = [Shop.place("/u")] }
        #expect(other.price == nil)
        #expect(try await outage().price == "3.49 EUR")
    }

    /// While the service is down, and cannot refuse a token, the token file gets the same token or another shop's.
    @Test(arguments: [("tok-a", true), ("tok-b", false)])
    func answersOfOtherCredentialsAreNotUsed(new: String, isUsed: Bool) async throws {
        let token = try scratch.write("tok-a", to: "token")
        func change(_ declaration: inout HTTPCatalogDeclaration) {
            declaration.authentication = .bearer(.file(path: token))
        }
        _ = await (try start([Shop.product("a")], change: change)).lookup("a")
        try scratch.write(new, to: "token")
        let answer = try await outage(change: change)
        #expect((answer.price != nil) == isUsed)
        // The answers file contains no secret.
        for name in ["answers.sqlite", "answers.sqlite-wal"] {
            let bytes = FileManager.default.contents(atPath: scratch.path(name)) ?? Data()
            #expect(!String(decoding: bytes, as: UTF8.self).contains("tok-"))
        }
    }

    @Test(arguments: [(3000, 2999), (10, 700_000)] as [(Int64, Int64)])
    func loweringFreshHoldsForKeptAnswers(fresh: Int64, age: Int64) async throws {
        let wall = WallTime(Self.now)
        let first = try start(
            [Shop.product("a")], at: wall,
            change: { $0.resilience.cache.fresh = .seconds(700_000) })
        _ = await first.lookup("a")
        wall.seconds += age
        let answer = try await outage(at: wall) {
            $0.resilience.cache.fresh = .seconds(fresh)
            $0.resilience.cache.staleIfError = .seconds(100)
        }
        #expect((answer.price != nil) == (age < fresh + 100))
    }

    @Test(arguments: [
        "garbage", "", "SQLite format 3\0", String(repeating: "\0", count: 8192),
    ])
    func aDamagedFileIsPutAsideAndReportedOnce(content: String) async throws {
        try scratch.write(content, to: "answers.sqlite")
        let reports = Sentences()
        let first = try start([Shop.product("a")], report: { reports.add($0) })
        #expect(await first.lookup("a").price == "3.49 EUR")
        #expect(try await outage().price == "3.49 EUR")
        // An empty file counts as new.
        let count = content.isEmpty ? 0 : 1
        #expect(reports.lines.count == count)
        #expect(reports.lines.allSatisfy { $0.contains("The answers file") })
        #expect(
            FileManager.default.contents(atPath: path + ".damaged").map(Array.init)
                == (content.isEmpty ? nil : Array(content.utf8)))
    }

    @Test func aFileThatIsDamagedLaterIsReplaced() async throws {
        let reports = Sentences()
        let catalog = try start(
            [Shop.product("a"), Shop.product("b")], report: { reports.add($0) })
        #expect(try run("sqlite3", path, "DROP TABLE answer").status == 0)
        #expect(await catalog.lookup("a").origin == .network)
        #expect(await catalog.lookup("b").origin == .network)
        #expect(reports.lines.count == 1)
        #expect(await (try start([Shop.refused, Shop.refused])).lookup("b").price == "3.49 EUR")
    }

    @Test func anotherDatabaseIsLeftAlone() throws {
        #expect(try run("sqlite3", path, "CREATE TABLE product (id); ").status == 0)
        #expect(throws: AnswerFileError.self) {
            try AnswerFile(path: path, report: { Issue.record("\($0)") })
        }
        #expect(try run("sqlite3", path, ".tables").output == "product\n")
    }

    @Test func aFileThatCannotBeMadeIsAnError() {
        #expect(throws: AnswerFileError.self) {
            try AnswerFile(path: scratch.path("no/answers.sqlite"), report: { _ in })
        }
    }

    /// If a byte changes, each answer is right or missing, and the file can store answers again.
    @Test func aByteThatChangedIsNeverAPrice() throws {
        let match = { (price: String) in try Shop.found("4006381333931", price: price) }
        let keys = ["a", "b"].map { AnswerKey(owner: "shop", texts: [$0]) }
        let answers = try [match("3.49"), match("0.89")].map {
            CachedAnswer(
                match: $0, at: .zero, directives: CacheDirectives("max-age=5"), asked: "a",
                isFromFile: true)
        }
        do {
            let file = try AnswerFile(path: path, report: { Issue.record("\($0)") })
            for (key, answer) in zip(keys, answers) { file.save(answer, for: key, storedAt: 7) }
        }
        let whole = try #require(FileManager.default.contents(atPath: path))
        let folder = try TemporaryFolder(inMemory: true)
        let copy = folder.path("answers.sqlite")
        var (wrong, lost, unusable): ([Int], [Int], [Int]) = ([], [], [])
        for (offset, byte) in whole.enumerated()
        // Most zero bytes are free space, so only a sample of them is changed.
        where byte != 0 || offset % 64 == 0 || Thoroughness.isAskedFor {
            var changed = whole
            changed[offset] ^= offset.isMultiple(of: 2) ? 0xFF : 0x01
            for ending in ["-wal", "-shm"] { unlink(copy + ending) }
            try changed.write(to: URL(filePath: copy))
            guard let file = try? AnswerFile(path: copy, report: { _ in }) else {
                unusable.append(offset)
                continue
            }
            for (key, answer) in zip(keys, answers) {
                let found = file.answer(for: key)
                let isRight = found == nil || found?.answer == answer && found?.storedAt == 7
                file.save(answer, for: key, storedAt: 8)
                let isKept = file.answer(for: key)?.answer == answer
                if !isRight { wrong.append(offset) }
                if !isKept { lost.append(offset) }
            }
        }
        #expect(wrong == [])
        #expect(lost == [])
        #expect(unusable == [])
    }

    @Test func theFileKeepsTheNewestAnswers() throws {
        let file = try AnswerFile(path: path, capacity: 32, report: { Issue.record("\($0)") })
        for number in 0..<100 {
            let answer = CachedAnswer(
                match: Match(key: .text, product: Product(id: "\(number)")), at: .zero,
                directives: CacheDirectives(), asked: "")
            file.save(
                answer, for: AnswerKey(owner: "", texts: ["\(number)"]), storedAt: Int64(number))
        }
        let kept = (0..<100).filter {
            file.answer(for: AnswerKey(owner: "", texts: ["\($0)"])) != nil
        }
        #expect(kept == Array((100 - kept.count)..<100))
        #expect((32...35).contains(kept.count))
    }

    @Test func theAnswersUsedLastRemainInMemory() {
        var recent = RecentAnswers(capacity: 3)
        let key = { AnswerKey(owner: "", texts: [$0]) }
        let answer = CachedAnswer(match: nil, at: .zero, directives: CacheDirectives(), asked: "")
        for number in 0..<100 {
            recent.set(answer, for: key("\(number)"))
            #expect(recent.answer(for: key("0")) == answer)
        }
        let kept = (0..<100).filter { recent.answer(for: key("\($0)")) != nil }
        #expect(kept.contains(0) && kept.contains(99) && kept.contains(98))
        #expect(kept.count <= 7)
    }
}
