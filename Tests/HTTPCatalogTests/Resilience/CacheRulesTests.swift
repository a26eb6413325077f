import Catalog
import HTTPTypes
import Testing
import WebAPI
import WireText

@testable import HTTPCatalog

@Suite struct CacheRulesTests {
    private let rules = CacheRules(settings: CacheSettings())
    private let match = Match(key: .gtin, product: Product(id: "1"))

    @Test func anAnswerIsFreshThenUsedMeanwhileThenAskedFor() throws {
        let kept = try #require(answer([:]))
        #expect(rules.action(for: kept, at: at(299)) == .use)
        #expect(rules.action(for: kept, at: at(300)) == .useAndAskAgain)
        #expect(rules.action(for: kept, at: at(899)) == .useAndAskAgain)
        #expect(rules.action(for: kept, at: at(900)) == .ask)
        #expect(rules.action(for: nil, at: at(0)) == .ask)
    }

    @Test func itStandsInForFailuresForAWeek() throws {
        let kept = try #require(answer([:]))
        let failure = LookupFailure(.timedOut, "")
        #expect(rules.mayServeStale(kept, for: failure, at: at(300 + 7 * 86_400 - 1)))
        #expect(!rules.mayServeStale(kept, for: failure, at: at(300 + 7 * 86_400)))
    }

    @Test func itStandsInForNoRefusalAndForNoMistakeOfOurs() throws {
        let kept = try #require(answer([:]))
        let stand = LookupFailure.Code.allCases.filter {
            rules.mayServeStale(kept, for: LookupFailure($0, ""), at: at(1))
        }
        #expect(
            stand == [
                .timedOut, .unreachable, .tls, .brokenConnection, .throttled, .serverError,
                .unreadableAnswer, .answerTooLong, .reportedError, .suspended, .quotaUsedUp,
            ])
    }

    @Test func thatThereIsNoSuchProductCountsForAMinuteAndNeverOnError() throws {
        let kept = try #require(
            rules.kept(nil, CacheDirectives(), asked: "1", at: at(0)))
        #expect(rules.action(for: kept, at: at(59)) == .use)
        #expect(rules.action(for: kept, at: at(60)) == .ask)
        #expect(!rules.mayServeStale(kept, for: LookupFailure(.timedOut, ""), at: at(60)))
    }

    @Test(arguments: [
        ("max-age=60", 60, 600, 604_800), ("public, max-age=\"60\"", 60, 600, 604_800),
        ("MAX-AGE=0", 0, 600, 604_800), ("max-age=x", 0, 600, 604_800),
        ("max-age=60, stale-while-revalidate=5, stale-if-error=7", 60, 5, 7),
        ("no-cache", 0, 0, 0), ("no-cache=\"Set-Cookie\", max-age=9", 9, 600, 604_800),
        ("max-age=60, must-revalidate", 60, 0, 0),
        ("max-age=99999999999999999999", 2_147_483_648, 600, 604_800),
        ("private", 300, 600, 604_800),
    ])
    func cacheControlGoesAheadOfTheSettings(
        header: String, fresh: Int, whileRevalidating: Int, ifError: Int
    ) throws {
        let kept = try #require(answer([.cacheControl: header]))
        #expect(
            [kept.fresh, kept.staleWhileRevalidate, kept.staleIfError]
                == [fresh, whileRevalidating, ifError].map { .seconds($0) })
    }

    @Test(arguments: [
        ("no-store", 0), ("no-cache", 0), ("max-age=60, must-revalidate", 60),
        ("max-age=60, stale-if-error=7", 60), ("max-age=60", 60),
    ])
    func theShopSaysHowLongAnOutageMayLast(header: String, fresh: Int) throws {
        var settings = CacheSettings()
        settings.staleIfError = .seconds(5000)
        let kept = try #require(
            CacheRules(settings: settings).kept(
                match, directives([.cacheControl: header]), asked: "1", at: at(0)))
        #expect(kept.fresh == .seconds(fresh))
        #expect(kept.staleIfError == .seconds(5000))
    }

    @Test func noStoreKeepsNothing() {
        #expect(answer([.cacheControl: "no-store"]) == nil)
        var directives = CacheDirectives()
        directives.noStore = true
        #expect(rules.kept(nil, directives, asked: "1", at: at(0)) == nil)
    }

    @Test func settingsCanIgnoreCacheControl() throws {
        var settings = CacheSettings()
        settings.obeysHeaders = false
        let kept = CacheRules(settings: settings).kept(
            match, directives([.cacheControl: "no-store, no-cache, max-age=0"]), asked: "1",
            at: at(0))
        #expect(kept?.fresh == .seconds(300))
    }

    @Test func theAgeOfAnAnswerIsTakenOffItsTime() throws {
        let kept = try #require(answer([.cacheControl: "max-age=60", .age: "20"]))
        #expect(kept.fresh == .seconds(40))
    }

    @Test(arguments: [
        ("\"abc\"", "\"abc\""), ("W/\"abc\"", "W/\"abc\""), ("abc", nil), ("\"a b\"", nil),
        ("\"", nil),
    ])
    func anEntityTagIsKeptWhereItCanBeSentBack(header: String, tag: String?) {
        #expect(directives([.eTag: header]).entityTag == tag)
    }

    @Test func anAnswerThatStillHoldsIsFreshAgain() throws {
        let kept = try #require(answer([.eTag: "\"1\""]))
        let renewed = try #require(rules.renewed(kept, CacheDirectives(), at: at(1000)))
        #expect(renewed.validator == CachedAnswer.Validator(asked: "1", entityTag: "\"1\""))
        #expect(renewed.match == match)
        #expect(rules.action(for: renewed, at: at(1299)) == .use)
    }

    private func answer(_ headers: HTTPFields) -> CachedAnswer? {
        rules.kept(match, directives(headers), asked: "1", at: at(0))
    }

    private func directives(_ headers: HTTPFields) -> CacheDirectives {
        CacheDirectives(Response(status: .ok, headers: headers))
    }

    private func at(_ seconds: Int) -> MonotonicTime { .start + .seconds(seconds) }
}
