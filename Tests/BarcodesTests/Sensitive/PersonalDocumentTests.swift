import Barcodes
import TestTexts
import Testing

/// All names and numbers here are marked as test data, or are from the specimens in the standards.
struct PersonalDocumentTests {
    private static let pass = "M1TEST/PERSON         EABC123 YULFRAAC 0834 226F001A0025 100"
    private static let cedula =
        "03100025001        PubDSK_10000000000TEST MUSTER SPECIMEN 0M19800101150010O+2"
    private static let secureQR = String(repeating: "1234567890", count: 300)

    @Test(arguments: [
        // The header as defined in the standard, and as changed by scanners.
        "@\n\u{1E}\rANSI 636000090002DL00410278ZV03190008DLDAQTEST1234",
        "@\n\u{1C}\rANSI 636000090002DL00410278", "@ANSI 636000090002DL00410278", "ANSI636000",
        "ansi 636000090002", "Ansi 636000090002", "@\nAAMVA6360010102DL", "@ AAMVA 636001",
        "@\r\nANSI  636000", "%ANSI 6040290102DL", "\"ANSI 636000090002DL",
        "@\n\nAAMVA36004001DL00280200DLDABTEST", "@ansi324535636000",
        "@\\n\\u001e\\rANSI 636000090002DL00410278", "]L0@ANSI 636000090002DL00410278",
        // Read with a US layout and Shift, with a French layout and with a Czech layout.
        "@ANSI ^#^)))", "2QNSI -\"-ààà", "2qnsi -\"-àààéçà", "@ANSI žšžééé", "@ANSI žšžé+č",
        "2QQ?VQ-\"-àà&",
        "QNSI ^#^)))",
        // A line with a date of birth.
        "DBB06061986", "dbb19860606", "DAQTEST1234\nDBB06061986\nDCSSAMPLE",
        // Read with a Hungarian layout; the magnetic stripe, read with a US and with a German layout.
        "\"ANSI 636ö14ö4ööö2DLöö41ö278", "DBBö6ö61986", "%CASACRAMENTO^TEST$PERSON^1 TEST ST^?",
        "%CASACRAMENTO&TEST$PERSON&1 TEST ST&_",
    ])
    func aLicenceIsHidden(text: String) {
        #expect(SensitiveContent.detect(text)?.kind == .drivingLicence)
    }

    @Test(arguments: [
        "P<UTOMUSTERMANN<<ERIKA<<<<<<<<<<<<<<<<<<<<<<",
        "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
        "L898902C36UTO7408122F1204159ZE184226BABCDE10",
        // With a wrong check digit.
        "L898902C36UTO7408123F1204159ZE184226B<<<<<10", "I<UTOD231458908<<<<<<<<<<<<<<<",
        "p<utomustermann<<erika<<<<<<<<<<<<<<<<<<<<<<",
        "I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6",
        "MUSTERMANN<<ERIKA<<<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6",
        "P<UTOMUSTERMANN<<ERIKA<<<<<<<<<<<<<<<<<<<<<<"
            + "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
        "I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\n"
            + "MUSTERMANN<<ERIKA<<<<<<<<<<<<<",
        pass, pass.lowercased(), "]z0" + pass, "P00" + pass,
        // Two legs, and the airline's own data.
        "M2TEST/PERSON         EDEF456 FRAGVALH 3664 227C012C0002 12E2A0140987654321",
        "M1TEST-PERSON         EABC123 YULFRAAC 0834A226F001A0025 100",
    ])
    func aTravelDocumentIsHidden(text: String) {
        #expect(SensitiveContent.detect(text)?.kind == .travelDocument)
    }

    @Test(arguments: [
        "00123456789@TEST@MUSTER@M@12345678@A@01/01/1980@01/01/2015",
        "00123456789@TEST@MUSTER SPECIMEN@F@12345678@A@01/01/1980@01/01/2015@201",
        "@12345678    @A@1@TEST@MUSTER@ARGENTINA@01/01/1980@M@01/01/2010@00012345678@7015 "
            + "@01/01/2025@3@0@ILR:2.01 C:100101.01@UNIDAD #01 || S/N: 0040>2008>>0006",
        "00123456789\"TEST\"MUSTER\"M\"12345678\"A\"01-01-1980\"01-01-2015",
        "00123456789@test@muster@x@12345678@b@01/01/1980@01/01/2015",
        "@       @A@1@TEST@MUSTER@ARGENTINA@01/01/1980@M@01/01/2010@00012345678@7015",
        "0310002500100000000TEST MUSTER SPECIMEN 0M19800101150010O+",
        cedula, cedula.lowercased(), "03100025001\u{0}\u{0}PubDSK_1",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<PrintLetterBarcodeData uid=\"000000000000\" name=\"TEST MUSTER\" gender=\"M\"/>",
        "<PrintLetterBarcodeData uid=\"000000000000\"", secureQR, "]Q1" + secureQR,
        // Typed on a French keyboard.
        ">PrintLetterBqrcodeDqtq uid",
        "<QPDB n=\"TEST MUSTER\" u=\"xxxxxxxx0000\" g=\"M\" d=\"01-01-1980\"/>",
        ";QPDB n´@TEST MUSTER@ u´@xxxxxxxx0000@",
    ])
    func anIdentityCardIsHidden(text: String) {
        #expect(SensitiveContent.detect(text)?.kind == .identityCard)
    }

    @Test(arguments: [
        "HC1:NCFOXN%TEST", "hc1:ncfoxn", "]Q1HC1:NCFOXN", "shc:/567629095243206034602924",
        "NZCP:/1/TEST", "HC1Ö" + String(repeating: "TEST", count: 60),
        // Typed with US keys on a German, Spanish, Italian, Swiss and Turkish layout, and with German
        // keys on a US one.
        "shcÖ-567629095243206034602924", "shcÑ-5676", "shcç-5676", "shcé-5676", "shcŞ.5676",
        "shc>&5676", "NYCPÖ-1-TEST", "NZCPÑ-1-TEST", "NYCP>&1&TEST", "HC1ÖTEST", "HC1>TEST",
    ])
    func aHealthCertificateIsHidden(text: String) {
        #expect(SensitiveContent.detect(text)?.kind == .healthCertificate)
    }

    @Test(arguments: [
        "ANSI/ASQ", "ANSI 63600", "AAMVA", "XANS", "A", "ANSI 150000", "ANSI B16.5 636000",
        "DBB06061786", "DBB13321986X", "DBB99999999", "DBB0606198", "XDBB06061986", "DBB060619861",
        "DBA06061986", "DCSSAMPLE", "HELLO<<WORLD", "P<UTOMUSTERMANN<<ERIKA<<<<<<<<<<<<<<<<<<",
        "M1234567890", "M1-TEST/PART 30 MM", "M1TEST/PERSON         EABC123 YULFRAAC",
        "MAIL/PERSON           EABC123 YULFRAAC 0834 226F001A0025 100",
        "user@example.com", "A@B@C@D@E@F@G@H", "00123456789@M@01/01/1980",
        "SKU\"12345678\"RED\"M\"2026", "PUB-DSK", "123456780M20250101123456",
        #"{"sku":"12345678","size":"M","packed":"01/01/2026","lot":"12345678901"}"#,
        "12345678@SHIRT@RED@M@19,90@EUR@01/01/2026@X", "<?xml version=\"1.0\"?><item/>",
        String(repeating: "1234567890", count: 40), "HC1", "HC1-2044", "HC12:5", "XXHC",
        "https://example.com/hc1:", "SHC-1",
        "SHC:5676", "SHC->1", "NZCP-1/2", "SHCÖL-1", "HC1/2",
    ])
    func aProductIsShown(text: String) {
        #expect(SensitiveContent.detect(text) == nil)
    }

    /// Typed on a US keyboard and read as French, or the reverse, or read as German.
    @Test(arguments: [
        "'&&&&&&&&&&&&&&&", "5B'&&&&&&&&&&&&&&&6TEST!?USTER6é(&é&à&àààà§", "$!!!!!!!!!!!!!!!",
        "àà&é\"'(-è_ç2TEST2?USTER2?2&é\"'(-è_2Q2à&!à&!&ç_à2à&!à&!éà&(",
        "?&TEST!?USTER         EQBC&é\" YULFRQQC à_\"' éé-Fàà&Qààé( &àà", "HC&MNCFOXN",
        "P.UTO?USTER?QNN..ERIKQ......................",
        "P;UTOMUSTERMANN;;ERIKA;;;;;;;;;;;;;;;;;;;;;;",
        // Read as Czech and as Hungarian.
        "P?UTOMUSTERMANN??ERIKA??????????????????????", "č+++++++++++++++", "č+++ ++++ ++++ ++++",
        "378282246310005".replacing("0", with: "ö"), "é4111111111111111ó3ö121ö1öööööö",
    ])
    func contentOnAnotherLayoutIsHidden(text: String) {
        #expect(SensitiveContent.detect(text) != nil)
    }

    @Test(arguments: 0..<10) func randomNumbersAreNoDocuments(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        for _ in 0..<200 {
            let digits = (0..<30).map { _ in String(Int.random(in: 0...9, using: &generator)) }
            #expect(SensitiveContent.detect(digits.joined()) == nil)
        }
    }

    @Test(arguments: [
        (SensitiveContent.Kind.drivingLicence, "@ANSI 6360"), (.drivingLicence, "@\n\u{1E}\rAAMVA"),
        (.travelDocument, "L898902C36UTO7408122F1204159ZE184226B<<<<<1"),
        (.travelDocument, "98902C36UTO7408122F1204159ZE1842"),
        (.travelDocument, "7408122F1204159"), (.travelDocument, "P<UTOMUSTER"),
        (.travelDocument, "I<UTOD231458907"), (.travelDocument, "MUSTERMANN<<ERIKA"),
        (.travelDocument, "M1TEST/P"), (.travelDocument, "]L0M1TEST/PERSON"),
        (.identityCard, "00123456789@TEST@MU"), (.identityCard, "@12345678    @A@1@TEST"),
        (.identityCard, "P0000123456789\"TEST\""), (.identityCard, "0310002500PubDSK"),
        (.identityCard, "023456789           1234567890TEST"),
        (.identityCard, "<?xml version=\"1.0\"?><PrintLetter"), (.identityCard, "<QPDB n=\"TE"),
        (.identityCard, String(secureQR.prefix(200))), (.healthCertificate, "HC1:N"),
    ])
    func theBeginningOfADocumentIsHidden(kind: SensitiveContent.Kind, text: String) {
        #expect(SensitiveContent.detectFragment(text)?.kind == kind)
    }

    /// A scan is hidden if it breaks off anywhere after its first `shortest` characters.
    @Test(arguments: [
        ("00123456789@TEST@MUSTER@M@12345678@A@01/01/1980", 16), (pass, 8), (cedula, 30),
    ])
    func aDocumentIsHiddenWhereverItBreaks(text: String, shortest: Int) {
        for length in shortest...text.count {
            let part = String(text.prefix(length))
            #expect(SensitiveContent.detectFragment(part) != nil, "\(part)")
        }
    }

    @Test(arguments: ["M1", "M1/4 SCREW", "A@B", "1234567@", "5449000000996@A", "P<X", "A<B"])
    func anotherFragmentIsShown(text: String) {
        #expect(SensitiveContent.detectFragment(text) == nil)
    }
}
