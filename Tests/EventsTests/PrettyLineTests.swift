import Events
import Testing
import WireText

@Suite struct PrettyLineTests {
    private func line(_ event: Event, colour: Bool = false, width: Int = 100) -> String {
        Samples.line(of: event, EventFormatter(.pretty, colour: colour, width: width))
    }

    @Test func aScanShowsProductAndPrice() {
        #expect(
            line(Samples.scan())
                == "08:00:00.123  ✓ counter     4006381333931         Fineliner"
                + "                                 1.20 EUR\n")
    }

    /// The line shows the charge, and never the catalog's price, which is for a kilogram.
    @Test(arguments: [
        ("146.85", "1", "pcs", "label-price", "146.85 EUR"),
        ("2.24", "1.250", "kg", "label-measure", "2.24 EUR (1.250 kg)"),
        ("4.99", "1", "kg", "label-measure", "4.99 EUR (1 kg)"),
        ("4.20", "12", "pcs", "label-count", "4.20 EUR (12 pcs)"),
    ])
    func theChargeIsShown(
        amount: String, quantity: String, unit: String, source: String, shown: String
    ) {
        let charge: JSONObject = [
            "amount": .string(amount), "currency": "EUR", "quantity": .string(quantity),
            "unit": .string(unit), "from": .string(source),
        ]
        #expect(priced(charge).hasSuffix("  \(shown)\n"))
        #expect(priced(charge).contains("  ✓ "))
    }

    @Test func aReasonIsShownInPlaceOfThePrice() {
        let line = priced(["amount": .null, "reason": "measure"])
        #expect(line.hasSuffix("  ! measure\n"))
        #expect(line.contains("  ? "))
        #expect(!line.contains("5.00"))
    }

    private func priced(_ charge: JSONObject) -> String {
        let event = Samples.event(data: [
            "text": "4012", "lookup": ["status": "found"], "charge": .object(charge),
            "product": [
                "id": "H", "name": "Ham", "price": "5.00", "currency": "EUR", "unit": "kg",
            ],
        ])
        return line(event)
    }

    @Test func aReasonThatIsAProblemIsShownOnce() {
        let event = Samples.event(data: [
            "text": "4012", "lookup": ["status": "found"], "product": ["id": "H", "name": "Ham"],
            "problems": [["code": "ambiguous"], ["code": "reserved-prefix"]],
            "charge": ["amount": .null, "reason": "ambiguous"],
        ])
        #expect(line(event).contains("Ham  ! reserved-prefix  "))
        #expect(line(event).hasSuffix("  ! ambiguous\n"))
    }

    @Test func aRejectionSaysWhyAndWhere() {
        #expect(
            line(Samples.rejection("torn"))
                == "08:00:00.123  ✗ counter     400638                "
                + "torn: keys were lost (7 keys, at 6)\n")
    }

    @Test(arguments: [
        ("idle", "idle: no terminator came"), ("too-long", "too long"), ("too-short", "too short"),
        ("unmapped-key", "unmapped key"), ("started-before-grab", "started before the grab"),
        ("something\nelse", "something\\nelse"), ("", "rejected"),
    ])
    func everyReasonHasItsWords(reason: String, words: String) {
        #expect(line(Samples.rejection(reason)).hasSuffix("  \(words) (7 keys, at 6)\n"))
    }

    @Test(arguments: [
        ("found", "✓", "product without a name"), ("not-found", "?", "not in the catalog"),
        ("failed", "!", "lookup failed"), ("timed-out", "!", "lookup timed out"),
        ("skipped", "·", "not looked up"),
    ])
    func aScanWithoutProductSaysWhy(status: String, mark: String, words: String) {
        let event = Samples.event(data: ["text": "7", "lookup": ["status": .string(status)]])
        #expect(
            line(event)
                == "08:00:00.123  \(mark)             7                     \(words)\n")
    }

    @Test func problemsStandBehindTheNameEvenWhereItIsLong() {
        let event = Samples.scan(
            name: String(repeating: "name ", count: 20), problems: [["code": "wrong-check-digit"]])
        #expect(
            line(event)
                == "08:00:00.123  ✓ counter     4006381333931         name name name…"
                + "  ! wrong-check-digit      1.20 EUR\n")
    }

    @Test func otherEventsAreTold() {
        let data: JSONObject = ["scanner": ["name": "counter"], "reason": "unplugged"]
        #expect(
            line(Samples.event(.scannerDisconnected, data: data))
                == "08:00:00.123  · counter     scanner disconnected: unplugged\n")
        #expect(
            line(Samples.event(EventType(rawValue: "other.type"), data: [:]))
                == "08:00:00.123  ·             other type\n")
    }

    @Test(arguments: [
        ("Fineliner", 9), ("抹茶ラテ", 8), ("한국어 ｱ", 8), ("Club-Mate 🧉", 12),
        ("e\u{301}", 1), ("🇩🇪", 2), ("❤", 1), ("か\u{3099}", 2),
    ])
    func thePriceStandsInItsColumnBehindWideCharacters(name: String, columns: Int) {
        #expect(
            line(Samples.scan(name: name))
                == "08:00:00.123  ✓ counter     4006381333931         \(name)"
                + String(repeating: " ", count: 42 - columns) + "1.20 EUR\n")
    }

    @Test(arguments: [
        ("👩\u{200d}🚀", #"👩\u200d🚀"#, 10), ("❤\u{fe0f}", #"❤\ufe0f"#, 7),
    ])
    func whatIsInvisibleIsShown(name: String, shown: String, columns: Int) {
        #expect(
            line(Samples.scan(name: name))
                == "08:00:00.123  ✓ counter     4006381333931         \(shown)"
                + String(repeating: " ", count: 42 - columns) + "1.20 EUR\n")
    }

    @Test(arguments: [
        ("0123456789012345678901234567890123456789", "0123456789012345678…"),
        ("01234567890123456789", "01234567890123456789"),
        ("0123456789012345678\u{1b}", "0123456789012345678…"),
        ("\u{1b}\u{1b}\u{1b}\u{1b}\u{1b}\u{1b}", #"\x1b\x1b\x1b\x1b…"#),
        ("一二三四五六七八九十一", "一二三四五六七八九…"),
    ])
    func aLongTextIsCutAndAnEscapeNeverInTwo(text: String, shown: String) {
        let fields = line(Samples.scan(text)).dropFirst("08:00:00.123  ✓ counter     ".count)
        #expect(fields.prefix(shown.count) == shown)
        #expect(fields.dropFirst(shown.count).hasPrefix("  "))
    }

    @Test(arguments: [0, 60, 79, 80, 99, 100, 119, 120, 200, 400])
    func noLineIsWiderThanTheTerminal(width: Int) {
        let long = String(repeating: "long \u{1b} 長", count: 60)
        for type in [EventType.scan, .scanRejected, .started] {
            let event = Samples.everywhere(long, type: type)
            let wide = line(event, width: width).filter { $0 == "長" }.count
            #expect(line(event, width: width).count - 1 + wide <= max(width, 60))
        }
    }

    @Test func aPriceTakesRoomFromTheName() {
        let event = Samples.scan(
            name: String(repeating: "n", count: 99), price: "12345678901234567.45")
        #expect(
            line(event, width: 80).hasSuffix(
                "  4006381333931   nnnnnnnnnnnn…  12345678901234567.45…\n"))
        #expect(line(event).hasSuffix("nnn…  12345678901234567.45 EUR\n"))
    }

    @Test func colourComesOnlyWhenAskedFor() {
        #expect(!line(Samples.rejection("torn")).contains("\u{1b}"))
        #expect(
            line(Samples.rejection("torn"), colour: true)
                == "\u{1b}[2m08:00:00.123\u{1b}[0m  \u{1b}[31m✗\u{1b}[0m "
                + "\u{1b}[36mcounter\u{1b}[0m     \u{1b}[31m400638\u{1b}[0m                "
                + "\u{1b}[31mtorn: keys were lost (7 keys, at 6)\u{1b}[0m\n")
    }

    @Test func stackedMarksAreBounded() {
        let stacked = "e" + String(repeating: "\u{301}", count: 5_000)
        #expect(line(Samples.scan(name: stacked)).utf8.count < 300)
    }
}
