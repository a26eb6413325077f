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
        ("%TXAUSTIN^DOE$JOHN^12345 SHERWOOD^?", .magneticStripe),
        ("+4111111111111111=25121?", .magneticStripe), (";636000012345=2512?", .magneticStripe),
        ("ö4111111111111111´25121010000_", .magneticStripe),
        ("%B4111111111111111&DOE-JOHN&2512101_", .magneticStripe),
        ("_b378282246310005#A", .magneticStripe), ("4111111111111111/2512101", .magneticStripe),
        ("4111111111111111", .paymentCard), ("4111 1111 1111 1111", .paymentCard),
        ("4111-1111-1111-1111", .paymentCard), ("5555555555554444", .paymentCard),
        ("2223003122003222", .paymentCard), ("378282246310005", .paymentCard),
        ("341111111111111", .paymentCard), ("6011111111111117", .paymentCard),
        ("3530111333300000", .paymentCard), ("30569309025904", .paymentCard),
        ("6200000000000005", .paymentCard), ("6759649826438453", .paymentCard),
        ("4000000000000000006", .paymentCard), ("4111111111111111=25121010000", .magneticStripe),
        ("4111111111111111=2512", .paymentCard),
        ("]C04111111111111111", .paymentCard), ("2200000000000004", .paymentCard),
        ("@\n\u{1E}\rANSI 636000090002DL00410278ZV03190008DLDAQT64235789", .drivingLicence),
        ("@ANSI 636000090002DL00410278", .drivingLicence), ("ansi 636000090002", .drivingLicence),
        ("ANSI636000", .drivingLicence), ("@\nAAMVA6360010102DL", .drivingLicence),
        ("DBB06061986", .drivingLicence), ("dbb19860606", .drivingLicence),
        ("DAQT64235789\nDBB06061986\nDCSSAMPLE", .drivingLicence),
        ("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", .travelDocument),
        ("L898902C36UTO7408122F1204159ZE184226B<<<<<10", .travelDocument),
        ("p<utoeriksson<<anna<maria<<<<<<<<<<<<<<<<<<<", .travelDocument),
        ("I<UTOD231458907<<<<<<<<<<<<<<<", .travelDocument),
        ("7408122F1204159UTO<<<<<<<<<<<6", .travelDocument),
        ("ERIKSSON<<ANNA<MARIA<<<<<<<<<<", .travelDocument),
        ("D231458907UTO7408122F1204159<<<<<<<6", .travelDocument),
        (
            "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<"
                + "L898902C36UTO7408122F1204159ZE184226B<<<<<10", .travelDocument
        ),
        (
            "I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\n"
                + "ERIKSSON<<ANNA<MARIA<<<<<<<<<<", .travelDocument
        ),
    ])
    func isSeen(text: String, kind: SensitiveContent.Kind) {
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
        "ANSI/ASQ", "ANSI 63600", "AAMVA", "XANS", "A", "DBB06061786", "DBB13321986X",
        "DBB99999999", "DBB0606198", "XDBB06061986", "DBB060619861", "DBA06061986", "DCSSAMPLE",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZABCD", "123456789012345678901234567890",
        "HELLO<<WORLD", "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<",
        "L898902C36UTO7408123F1204159ZE184226B<<<<<10", "I<UTOD231458908<<<<<<<<<<<<<<<",
        "L898902C36UTO740812XF1204159ZE184226B<<<<<10",
        "4111111111111111 and more", "abc4111111111111111/2512101", "X4111111111111111&251210",
        "B4111111111111112&A", "4006381333931/2512101", "12345678901234567890", "79927398713",
        "]E04222222222222", "]C14144111111111111",
    ])
    func otherTextIsNot(text: String) {
        #expect(SensitiveContent.detect(text) == nil)
    }

    @Test func aCardInASymbolForProductsIsNoCard() {
        #expect(SensitiveContent.detect("4111111111111111", aim: "]C1") == nil)
        #expect(SensitiveContent.detect("4111111111111111", aim: "]E0") == nil)
        #expect(SensitiveContent.detect("4111111111111111", aim: "]Q1")?.kind == .paymentCard)
        #expect(SensitiveContent.detect("4111111111111111", aim: "]I1")?.kind == .paymentCard)
        #expect(SensitiveContent.detect("]C14111111111111111") == nil)
        #expect(SensitiveContent.detect("4111111111111111", aim: "?")?.kind == .paymentCard)
    }

    @Test func cardsThatAreGTINsAreGTINs() throws {
        let visas = (0...999).compactMap { number -> String? in
            let body =
                "422222222" + String(repeating: "0", count: 3 - String(number).count)
                + String(number)
            return CheckDigit.gs1(for: body).map { body + String($0) }
        }
        #expect(visas.allSatisfy { SensitiveContent.detect($0) == nil })
    }

    @Test func cardsThatArePalletsNumbersArePallets() {
        let maestros = (1000...9999).compactMap { number -> String? in
            let body = "6759123456789" + String(number)
            return CheckDigit.gs1(for: body).map { body + String($0) }
        }
        #expect(maestros.allSatisfy { SensitiveContent.detect($0) == nil })
    }

    @Test(arguments: 0..<10) func longNumbersAreNoTravelDocuments(seed: Int) {
        var generator = SeededGenerator(state: UInt64(seed))
        for _ in 0..<200 {
            let digits = (0..<30).map { _ in String(Int.random(in: 0...9, using: &generator)) }
            #expect(SensitiveContent.detect(digits.joined()) == nil)
        }
    }

    @Test func theLinesOfALicenceAreSeenOneAfterTheOther() {
        var detector = SensitiveContentDetector()
        #expect(detector.inspect("DCSSAMPLE") == nil)
        #expect(detector.inspect("ANSI 636000090002DL00410278")?.kind == .drivingLicence)
        #expect(detector.inspect("DCSSAMPLE")?.length == 9)
        #expect(detector.inspect("DAGÅÄÖ")?.length == 6)
        #expect(detector.inspect("ZVA01")?.kind == .drivingLicence)
        #expect(detector.inspect("5449000000996") == nil)
        #expect(detector.inspect("DCSSAMPLE") == nil)
        #expect(detector.inspect("DBB06061986")?.kind == .drivingLicence)
        #expect(detector.inspect("4111111111111111")?.kind == .paymentCard)
        #expect(detector.inspect("DCSSAMPLE") == nil)
        #expect(detector.inspect("AAMVA636000")?.kind == .drivingLicence)
        #expect(detector.inspect("DX1") == nil)
    }

    @Test(arguments: [
        "%B41111111", ";41111111", "+41111111", "%b4111 1111", "xx%B411111111111", "%41111111",
        ";4111111111111111=25121", "%B4111111111111111^DOE", "4111111111111111",
    ])
    func theStartOfATrackIsSeen(text: String) {
        let found = SensitiveContent.detectFragment(text)
        #expect(found?.length == text.unicodeScalars.count)
    }

    /// More of a number than may be left of it: 12 digits, of American Express 11.
    @Test(arguments: [
        "4111111111111", "411111111111111", "4111 1111 1111 111", "4111-1111-1111-1",
        "378282246310", "37828224631000", "510510510510510", "60110009901394240",
    ])
    func aNumberWhoseLastDigitsWereTornOffIsSeen(text: String) {
        #expect(SensitiveContent.detectFragment(text)?.kind == .paymentCard)
    }

    /// A prefix is still in front, or a character that stands for another in between.
    @Test(arguments: [
        "A4111111111111111", "j4111111111111111Z", "4|11111111111111", "4111111111111X",
        "AB 3782 8224 6310 00",
    ])
    func aNumberAmongOtherCharactersIsSeen(text: String) {
        #expect(SensitiveContent.detectFragment(text)?.kind == .paymentCard)
        #expect(SensitiveContent.detectFragment(text)?.length == text.unicodeScalars.count)
    }

    @Test(arguments: [
        "L898902C36UTO7408122F1204159ZE184226B<<<<<1", "98902C36UTO7408122F1204159ZE1842",
        "7408122F1204159", "P<UTOERIKSSON", "I<UTOD231458907", "ERIKSSON<<ANNA",
        "p<utoeriksson<<anna",
    ])
    func aPartOfAMachineReadableZoneIsSeen(text: String) {
        #expect(SensitiveContent.detectFragment(text)?.kind == .travelDocument)
    }

    @Test func aLicenceWhoseLinesBreakOffIsSeenToItsEnd() {
        var detector = SensitiveContentDetector()
        #expect(detector.inspectFragment("@") == nil)
        #expect(detector.inspectFragment("ANSI 6360")?.kind == .drivingLicence)
        #expect(detector.inspect("DCSSAMPLE")?.kind == .drivingLicence)
        #expect(detector.inspectFragment("")?.kind == .drivingLicence)
        #expect(detector.inspectFragment("SAMPLE")?.kind == .drivingLicence)
        #expect(detector.inspect("DACMICHAEL")?.kind == .drivingLicence)
        #expect(detector.inspect("4006381333931") == nil)
        #expect(detector.inspectFragment("DACMICHAEL") == nil)
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
