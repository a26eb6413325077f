import HTTPTypes
import Testing
import WebAPI

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ])
    func aDateIsReadAndWritten(text: String, seconds: Int64) {
        #expect(HTTPDate(text) == HTTPDate(secondsSince1970: seconds))
        #expect(HTTPDate(secondsSince1970: seconds).description == text)
    }

    @Test(arguments: [
        ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("Sun Nov 16 08:49:37 1994", "Wed, 16 Nov 1994 08:49:37 GMT"),
        ("Saturday, 21-Nov-26 00:00:00 GMT", "Sat, 21 Nov 2026 00:00:00 GMT"),
        ("Sat, 31 Dec 2016 23:59:60 GMT", "Sun, 01 Jan 2017 00:00:00 GMT"),
    ])
    func otherFormsAndLeapSecondsAreReadToo(text: String, same: String) {
        #expect(HTTPDate(text)?.description == same)
    }

    @Test(arguments: [
        "", "120", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT",
        "Sun, 06 Nov 994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT", "Mon, 29 Feb 1900 00:00:00 GMT",
    ])
    func whatIsNoDateIsNone(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test func everyDayOfFourCenturiesComesBack() {
        for day in stride(from: Int64(-135_140), to: 146_097, by: 97) {
            let date = HTTPDate(secondsSince1970: day * 86400 + 12345)
            #expect(HTTPDate(date.description) == date)
        }
    }

    @Test(
        arguments: [
            ("0", .delay(.zero)), ("120", .delay(.seconds(120))),
            ("99999999999999999999", .delay(.seconds(2_147_483_647))),
            (
                "Thu, 01 Jan 1970 00:01:00 GMT",
                .date(HTTPDate(secondsSince1970: 60), sent: nil)
            ),
            ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil),
        ] as [(String, RetryAfter?)])
    func theWaitIsRead(text: String, expected: RetryAfter?) {
        #expect(RetryAfter([.retryAfter: text]) == expected)
    }

    @Test func aDateThatIsOverIsNoWait() {
        let wait = RetryAfter.date(HTTPDate(secondsSince1970: 60), sent: nil)
        #expect(wait.wait(now: HTTPDate(secondsSince1970: 20)) == .seconds(40))
        #expect(wait.wait(now: HTTPDate(secondsSince1970: 90)) == .zero)
        #expect(RetryAfter([:]) == nil)
        // If the server sends its own date, the wait starts at that date.
        let date = "Wed, 21 Oct 2026 07:28:00 GMT"
        let told = RetryAfter([.retryAfter: date, .date: "Wed, 21 Oct 2026 07:27:30 GMT"])
        #expect(told?.wait(now: HTTPDate(secondsSince1970: 0)) == .seconds(30))
    }
}
