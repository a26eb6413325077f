import Catalog
import Testing
import WebAPI

@testable import HTTPCatalog

@Suite struct CacheRulesTests {
    private let rules = CacheRules(settings: CacheSettings())
    private let match = Match(key: .gtin, product: Product(id: "1"))

    @Test func anAnswerIsFreshThenUsedMeanwhileThenAskedFor() throws {
        let kept = answer([:])
        #expect(rules.action(for: kept, at: at(299)) == .use)
        #expect(rules.action(for: kept, at: at(300)) == .useAndAskAgain)
        #expect(rules.action(for: kept, at: at(899)) == .useAndAskAgain)
        #expect(rules.action(for: kept, at: at(900)) == .ask)
        #expect(rules.action(for: nil, at: at(0)) == .ask)
    }

    @Test func itStandsInForFailuresForAWeek() throws {
        let kept = answer([:])
        let failure = LookupFailure(.timedOut, "")
        #expect(rules.mayServeStale(kept, for: failure, at: at(300 + 7 * 86_400 - 1)))
        #expect(!rules.mayServeStale(kept, for: failure, at: at(300 + 7 * 86_400)))
    }

    @Test func itStandsInForNoRefusalAndForNoMistakeOfOurs() throws {
        let kept = answer([:])
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
        let kept = answer([:], match: nil)
        #expect(rules.action(for: kept, at: at(59)) == .use)
        #expect(rules.action(for: kept, at: at(60)) == .ask)
        #expect(!rules.mayServeStale(kept, for: LookupFailure(.timedOut, ""), at: at(60)))
    }

    @Test(arguments: [
        ("max-age=3600", 3600, true), ("max-age=5", 5, true), ("no-cache", 0, false),
        ("max-age=0", 0, false), ("no-store", 0, false), ("private", 60, true),
    ])
    func thatThereIsNoSuchProductObeysTheHeaders(header: String, fresh: Int, isKept: Bool) {
        let kept = answer([.cacheControl: header], match: nil)
        #expect(rules.times(of: kept) == .init(fresh: .seconds(fresh)))
        #expect(rules.mayKeep(kept) == isKept)
    }

    @Test(arguments: [
        ("max-age=60", 60, 600, 604_800), ("public, max-age=\"60\"", 60, 600, 604_800),
        ("MAX-AGE=0", 0, 600, 604_800), ("max-age=x", 0, 600, 604_800),
        ("max-age=60, stale-while-revalidate=5, stale-if-error=7", 60, 5, 7),
        ("no-cache", 0, 0, 0), ("no-store", 0, 0, 0),
        ("no-cache=\"Set-Cookie\", max-age=9", 9, 600, 604_800),
        ("max-age=60, must-revalidate", 60, 0, 0),
        ("max-age=99999999999999999999", 2_147_483_648, 600, 604_800),
        ("private", 300, 600, 604_800),
    ])
    func cacheControlGoesAheadOfTheSettings(
        header: String, fresh: Int, whileRevalidating: Int, ifError: Int
    ) throws {
        let kept = answer([.cacheControl: header])
        #expect(rules.mayKeep(kept) == (header != "no-store"))
        let times = rules.times(of: kept)
        #expect(
            [times.fresh, times.staleWhileRevalidate, times.staleIfError]
                == [fresh, whileRevalidating, ifError].map { .seconds($0) })
    }

    @Test(arguments: [
        ("no-store", 0), ("no-cache", 0), ("max-age=60, must-revalidate", 60),
        ("max-age=60, stale-if-error=7", 60), ("max-age=60", 60),
    ])
    func theShopSaysHowLongAnOutageMayLast(header: String, fresh: Int) throws {
        var settings = CacheSettings()
        settings.staleIfError = .seconds(5000)
        let rules = CacheRules(settings: settings)
        let kept = answer([.cacheControl: header])
        #expect(rules.mayKeep(kept))
        #expect(rules.times(of: kept).fresh == .seconds(fresh))
        #expect(rules.times(of: kept).staleIfError == .seconds(5000))
    }

    @Test func settingsCanIgnoreCacheControl() {
        var settings = CacheSettings()
        settings.obeysHeaders = false
        let rules = CacheRules(settings: settings)
        let kept = answer([.cacheControl: "no-store, no-cache, max-age=0"])
        #expect(rules.mayKeep(kept))
        #expect(rules.times(of: kept).fresh == .seconds(300))
    }

    @Test func theAgeOfAnAnswerIsTakenOffItsTime() throws {
        let kept = answer([.cacheControl: "max-age=60", .age: "20"])
        #expect(rules.times(of: kept).fresh == .seconds(40))
    }

    @Test(arguments: [
        ("\"abc\"", "\"abc\""), ("W/\"abc\"", "W/\"abc\""), ("abc", nil), ("\"a b\"", nil),
        ("\"", nil),
    ])
    func anEntityTagIsKeptWhereItCanBeSentBack(header: String, tag: String?) {
        #expect(directives([.eTag: header]).entityTag == tag)
    }

    /// A 304 replaces `Cache-Control` and `ETag` if it has them, and the age always (RFC 9111, section 4.3.4).
    @Test(arguments: [
        ("no-cache", nil, 0), ("max-age=60", nil, 60), ("max-age=60", "max-age=9", 9),
        (nil, nil, 300), ("no-cache", "max-age=9", 9), (nil, "no-cache", 0),
    ])
    func aConfirmationKeepsWhatItDoesNotSay(before: String?, after: String?, fresh: Int) {
        var first: HTTPFields = [.eTag: "\"1\"", .age: "50"]
        first[.cacheControl] = before
        var second: HTTPFields = [:]
        second[.cacheControl] = after
        let updated = directives(first).updated(by: directives(second))
        #expect(updated.entityTag == "\"1\"")
        let kept = CachedAnswer(match: match, at: at(0), directives: updated, asked: "1")
        #expect(rules.times(of: kept).fresh == .seconds(fresh))
    }

    private func answer(_ headers: HTTPFields) -> CachedAnswer { answer(headers, match: match) }

    private func answer(_ headers: HTTPFields, match: Match?) -> CachedAnswer {
        CachedAnswer(match: match, at: at(0), directives: directives(headers), asked: "1")
    }

    private func directives(_ headers: HTTPFields) -> CacheDirectives {
        CacheDirectives(Response(status: .ok, headers: headers))
    }

    private func at(_ seconds: Int) -> MonotonicTime { .seconds(seconds) }
}
