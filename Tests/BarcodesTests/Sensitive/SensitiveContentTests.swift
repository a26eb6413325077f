import Barcodes
import Testing

struct SensitiveContentTests {
    @Test(arguments: [
        ("%B4111111111111111^DOE/JOHN^25121010000000000000?", SensitiveContent.Kind.magneticStripe),
        ("%b4111111111111111^DOE/JOHN^2512101?", .magneticStripe),
        ("%B4111 1111 1111 1111^DOE^2512", .magneticStripe),
        (";4111111111111111=25121010000000000000?", .magneticStripe),
        (";4111111111111111=2512", .magneticStripe), (";123456789012=4912?", .magneticStripe),
        ("%B411111111111^A", .magneticStripe), ("xx;4111111111111111=25121?yy", .magneticStripe),
        ("%B4111111111111111^D^25?;4111111111111111=25121?", .magneticStripe),
        ("+4111111111111111=25121?", .magneticStripe), (";636000012345=2512?", .magneticStripe),
        ("ö4111111111111111´25121010000_", .magneticStripe),
        ("%B4111111111111111&DOE-JOHN&2512101_", .magneticStripe),
        ("_b378282246310005#A", .magneticStripe), ("4111111111111111/2512101", .magneticStripe),
        ("4111111111111111", .paymentCard), ("4111 1111 1111 1111", .paymentCard),
        ("4111-1111-1111-1111", .paymentCard), ("5555555555554444", .paymentCard),
        ("2223003122003222", .paymentCard), ("378282246310005", .paymentCard),
        ("3782 822463 10005", .paymentCard), ("\u{1D}4111111111111111\u{1D}", .paymentCard),
        ("4111111111111111\t", .paymentCard),
        ("341111111111111", .paymentCard), ("6011111111111117", .paymentCard),
        ("3530111333300000", .paymentCard), ("6062828888666688", .paymentCard),
        ("6200000000000005", .paymentCard), ("6759649826438453", .paymentCard),
        ("5066991111111118", .paymentCard), ("6304000000000000", .paymentCard),
        ("4000000000000000006", .paymentCard), ("4111111111111111=25121010000", .magneticStripe),
        ("4111111111111111=2512", .paymentCard),
        ("]C04111111111111111", .paymentCard), ("2200000000000004", .paymentCard),
        ("%TXAUSTIN^DOE$JOHN^12345 SHERWOOD^?", .drivingLicence),
    ])
    func isHidden(text: String, kind: SensitiveContent.Kind) {
        let found = SensitiveContent.detect(text)
        #expect(found?.kind == kind)
        #expect(found?.length == text.unicodeScalars.count)
    }

    @Test(arguments: [
        "", "5449000000996", "4006381333931", "15400141288763", "4111111111111112",
        "411111111111111", "9999999999999995", "0000000000000000", "340123450000000000",
        "4006381333931 12", "012345678905", "96385074", "%ABC", "%B", "100%B4111", ";1234567=12345",
        "; 123 = 4", ";123456789=123", "%B41111111111^", "%a^b?", "%a^b", "%^^",
        "https://example.com/?a=%B4&b;c=1", "https://id.gs1.org/01/09506000134352",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZABCD", "123456789012345678901234567890",
        "4111111111111111 and more", "abc4111111111111111/2512101", "X4111111111111111&251210",
        "B4111111111111112&A", "4006381333931/2512101", "12345678901234567890", "79927398713",
        "]E04222222222222", "]C14144111111111111", "3782822463100 05",
    ])
    func anotherTextIsShown(text: String) {
        #expect(SensitiveContent.detect(text) == nil)
    }

    /// Right by Luhn, but no payment cards: gift and loyalty cards, library items, IMEI and SIM numbers.
    @Test(arguments: [
        "6331740123456780", "]C06331740123456780", "6006491234567898", "6273140123456784",
        "30569309025904", "36148900000008", "29876000000003", "490154203237518",
        "8949000000000000008", "4222222222222", "6304000000000000000000", "675964982643845",
    ])
    func aNumberOutsideTheCardsRangesOrLengthsIsShown(text: String) {
        #expect(SensitiveContent.detect(text) == nil)
    }

    @Test func gs1ElementStringsAreShown() {
        let label = "4149506000134338"
        var settings = BarcodeDecoder.Settings()
        #expect(Self.kind(label, settings) == .paymentCard)
        settings.content = .gs1
        #expect(Self.kind(label, settings) == nil)
        #expect(Self.kind("4111111111111111", settings) == .paymentCard)
        let coupon = "2559506000134352123456\u{1D}39001234567"
        #expect(SensitiveContent.detect(coupon, aim: "]C1") == nil)
        #expect(SensitiveContent.detect("]C1" + coupon) == nil)
    }

    @Test func aCardInASymbolForProductsIsNoCard() {
        #expect(SensitiveContent.detect("4111111111111111", aim: "]C1") == nil)
        #expect(SensitiveContent.detect("4111111111111111", aim: "]E0") == nil)
        #expect(SensitiveContent.detect("4111111111111111", aim: "]Q1")?.kind == .paymentCard)
        #expect(SensitiveContent.detect("4111111111111111", aim: "]I1")?.kind == .paymentCard)
        #expect(SensitiveContent.detect("]C14111111111111111") == nil)
        #expect(SensitiveContent.detect("4111111111111111", aim: "?")?.kind == .paymentCard)
    }

    @Test(arguments: [
        ("4111*", "4111111111111111", true), ("4111111111111111", "4111-1111-1111-1111", true),
        ("4111*", "%B4111111111111111^GIFT^2512?", true), ("4111*", ";4111111111111111=2512", true),
        ("4111", "4111111111111111", false), ("4112*", "4111111111111111", false),
        ("4111*", "5555555555554444", false), ("636000*", "@ANSI 636000090002", false),
    ])
    func ownNumbersAreShown(pattern: String, text: String, isShown: Bool) {
        let hidden = HiddenContent(ownNumbers: ["12*", pattern])
        #expect((SensitiveContent.detect(text, hiding: hidden) == nil) == isShown)
        let part = pattern.hasSuffix("*") ? String(text.dropLast()) : text
        #expect((SensitiveContent.detectFragment(part, hiding: hidden) == nil) == isShown)
    }

    @Test(arguments: SensitiveContent.Kind.allCases) func aKindThatIsNotHiddenIsShown(
        kind: SensitiveContent.Kind
    ) throws {
        let text = try #require(Self.examples[kind])
        #expect(SensitiveContent.detect(text)?.kind == kind)
        let others = Set(SensitiveContent.Kind.allCases).subtracting([kind])
        #expect(SensitiveContent.detect(text, hiding: HiddenContent(kinds: others)) == nil)
        #expect(SensitiveContent.detectFragment(text, hiding: HiddenContent(kinds: [])) == nil)
    }

    private static let examples: [SensitiveContent.Kind: String] = [
        .magneticStripe: ";4111111111111111=25121010000000000000?",
        .paymentCard: "4111111111111111", .drivingLicence: "@ANSI 636000090002DL00410278",
        .travelDocument: "P<UTOMUSTERMANN<<ERIKA<<<<<<<<<<<<<<<<<<<<<<",
        .identityCard: "00123456789@TEST@MUSTER@M@12345678@A@01/01/1980@01/01/2015",
        .healthCertificate: "HC1:TEST",
    ]

    private static func kind(
        _ text: String, _ settings: BarcodeDecoder.Settings
    ) -> SensitiveContent.Kind? {
        var detector = SensitiveContentDetector()
        let barcode = BarcodeDecoder(settings: settings).decode(text, aim: nil)
        return detector.inspect(barcode)?.kind
    }

    @Test(arguments: [
        "%B41111111", ";41111111", "+41111111", "%b4111 1111", "xx%B411111111111", "%41111111",
        ";4111111111111111=25121", "%B4111111111111111^DOE", "4111111111111111",
    ])
    func theStartOfATrackIsSeen(text: String) {
        let found = SensitiveContent.detectFragment(text)
        #expect(found?.length == text.unicodeScalars.count)
    }

    /// More digits than may be shown of a card number: 12 digits, or 11 of an American Express card.
    @Test(arguments: [
        "4111111111111", "411111111111111", "4111 1111 1111 111", "4111-1111-1111-1",
        "378282246310", "37828224631000", "510510510510510", "60110009901394240",
    ])
    func aNumberWhoseLastDigitsWereTornOffIsSeen(text: String) {
        #expect(SensitiveContent.detectFragment(text)?.kind == .paymentCard)
    }

    /// A number after a prefix, or with another character in place of a digit or at the end.
    @Test(arguments: [
        "A4111111111111111", "j4111111111111111Z", "4|11111111111111", "4111111111111X",
        "AB 3782 8224 6310 00",
    ])
    func aNumberAmongOtherCharactersIsSeen(text: String) {
        #expect(SensitiveContent.detectFragment(text)?.kind == .paymentCard)
        #expect(SensitiveContent.detectFragment(text)?.length == text.unicodeScalars.count)
    }

    @Test(arguments: [
        "", "%", "%B", "%B4111111", ";4111", "100%", "41111111", "5449000000", "A%B",
        "411111111111", "37828224631", "4006381333931", "5449000000996", "978316148410",
        "9506000134352", "LOT 4711", "P<X", "A<B", "DCSSAMPLE", "ANSIX",
    ])
    func otherFragmentsAreNot(text: String) {
        #expect(SensitiveContent.detectFragment(text) == nil)
    }
}
