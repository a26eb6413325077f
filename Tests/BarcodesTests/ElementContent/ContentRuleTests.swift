import Barcodes
import Testing

/// A value of an application identifier, with its invalid part between ‹ and ›, and the expected error.
struct ValueVector: Sendable, CustomTestStringConvertible {
    let ai: String
    let value: String
    let span: Range<Int>?
    let code: Problem.Code?

    init(_ ai: String, _ marked: String, _ code: Problem.Code? = nil) {
        self.ai = ai
        self.code = code
        let characters = Array(marked)
        value = String(characters.filter { $0 != "‹" && $0 != "›" })
        let start = characters.firstIndex(of: "‹")
        let end = characters.firstIndex(of: "›")
        if let start, let end {
            let offset = ai.count + 2
            span = offset + start..<offset + end - 1
        } else {
            span = nil
        }
    }

    var testDescription: String { "(\(ai))\(value)" }

    /// Decodes the value, and checks the code and the place of the error.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let barcode = BarcodeDecoder().decode("(\(ai))\(value)", aim: nil)
        let errors = barcode.problems.filter { $0.severity == .error }
        #expect(errors.map(\.code) == (code.map { [$0] } ?? []), sourceLocation: sourceLocation)
        #expect(errors.first?.span == span, sourceLocation: sourceLocation)
        // A value with a wrong check digit is only in the elements.
        #expect(barcode.gs1?.elements.map(\.value) == [value], sourceLocation: sourceLocation)
        let given = code == .wrongCheckDigit ? nil : value
        #expect(barcode.gs1?[ai] == given, sourceLocation: sourceLocation)
    }
}

struct ContentRuleTests {
    @Test(arguments: [
        ValueVector("17", "261231"), ValueVector("17", "261200"), ValueVector("17", "240229"),
        ValueVector("17", "000229"), ValueVector("11", "260131"), ValueVector("13", "260430"),
        ValueVector("15", "990101"), ValueVector("16", "500630"), ValueVector("12", "261130"),
        ValueVector("4324", "2612312359"), ValueVector("4324", "2612000000"),
        ValueVector("17", "26‹13›31", .invalidValue), ValueVector("17", "26‹00›31", .invalidValue),
        ValueVector("17", "2612‹32›", .invalidValue), ValueVector("17", "2602‹29›", .invalidValue),
        ValueVector("17", "2302‹29›", .invalidValue), ValueVector("11", "2604‹31›", .invalidValue),
        ValueVector("13", "26‹99›01", .invalidValue), ValueVector("15", "2611‹31›", .invalidValue),
        ValueVector("16", "2606‹31›", .invalidValue), ValueVector("12", "2609‹31›", .invalidValue),
        ValueVector("17", "26123‹A›", .wrongCharacter),
        ValueVector("4325", "26‹13›010000", .invalidValue),
    ])
    func aDateMayLeaveOutTheDay(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7006", "261231"), ValueVector("7006", "240229"), ValueVector("7006", "260101"),
        ValueVector("4326", "260228"), ValueVector("7007", "260101"),
        ValueVector("7007", "260101260131"), ValueVector("7011", "261231"),
        ValueVector("7011", "2612312359"), ValueVector("7003", "2612310000"),
        ValueVector("8008", "26123123"), ValueVector("8008", "2612312359"),
        ValueVector("8008", "261231235959"), ValueVector("7250", "20240229"),
        ValueVector("7250", "20000229"), ValueVector("7251", "190001010000"),
        ValueVector("7006", "2612‹00›", .invalidValue),
        ValueVector("7006", "26‹13›01", .invalidValue),
        ValueVector("7006", "2602‹29›", .invalidValue),
        ValueVector("4326", "2604‹31›", .invalidValue),
        ValueVector("7007", "2601012601‹32›", .invalidValue),
        ValueVector("7011", "2612‹00›", .invalidValue),
        ValueVector("7250", "1900‹13›01", .invalidValue),
        ValueVector("7250", "190002‹29›", .invalidValue),
        ValueVector("7250", "202302‹29›", .invalidValue),
        ValueVector("7250", "202312‹00›", .invalidValue),
        ValueVector("7251", "202312‹32›0000", .invalidValue),
    ])
    func aDayMustExist(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7003", "2612312359"), ValueVector("7003", "2612310000"),
        ValueVector("4324", "2612310930"), ValueVector("7251", "202301011200"),
        ValueVector("8008", "26123100"), ValueVector("8008", "2612312300"),
        ValueVector("8008", "261231230059"), ValueVector("7011", "2612310001"),
        ValueVector("4325", "2612312300"), ValueVector("7003", "2612311959"),
        ValueVector("7003", "261231‹24›00", .invalidValue),
        ValueVector("7003", "26123123‹60›", .invalidValue),
        ValueVector("4324", "261231‹99›00", .invalidValue),
        ValueVector("4325", "26123100‹99›", .invalidValue),
        ValueVector("7251", "20230101‹24›00", .invalidValue),
        ValueVector("7011", "261231‹25›00", .invalidValue),
        ValueVector("7011", "26123100‹61›", .invalidValue),
        ValueVector("8008", "261231‹24›", .invalidValue),
        ValueVector("8008", "26123123‹60›", .invalidValue),
        ValueVector("8008", "2612312359‹60›", .invalidValue),
    ])
    func aTimeMustExist(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("01", "09506000134352"), ValueVector("02", "15400141288763"),
        ValueVector("03", "00012345678905"), ValueVector("00", "340123450000000000"),
        ValueVector("410", "9506000134352"), ValueVector("414", "5412345000013"),
        ValueVector("402", "12345678901234560"),
        ValueVector("253", "9506000134352"), ValueVector("255", "95060001343521234"),
        ValueVector("8003", "09506000134352ABC"), ValueVector("8017", "950600013435200008"),
        ValueVector("01", "0950600013435‹3›", .wrongCheckDigit),
        ValueVector("02", "1540014128876‹0›", .wrongCheckDigit),
        ValueVector("03", "0001234567890‹6›", .wrongCheckDigit),
        ValueVector("00", "34012345000000000‹1›", .wrongCheckDigit),
        ValueVector("410", "950600013435‹0›", .wrongCheckDigit),
        ValueVector("414", "541234500001‹4›", .wrongCheckDigit),
        ValueVector("253", "950600013435‹9›X", .wrongCheckDigit),
        ValueVector("255", "950600013435‹1›1234", .wrongCheckDigit),
        ValueVector("8003", "0950600013435‹5›ABC", .wrongCheckDigit),
        ValueVector("8006", "0950600013435‹5›0102", .wrongCheckDigit),
    ])
    func aKeyEndsInItsCheckDigit(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8013", "1987654Ad4X4bL5ttr2310c2K"),
        ValueVector("8013", "12345_ABCDEFGHIJKLMCP"),
        ValueVector("8013", "7907665Bm8v2AB"), ValueVector("8013", "97850l6KZm0yCD"),
        ValueVector("8013", "225803106GSpEF"), ValueVector("8013", "149512464PM+GH"),
        ValueVector("8013", "62577B8fRG7HJK"), ValueVector("8013", "515942070CYxLM"),
        ValueVector("8013", "390800494sP6NP"), ValueVector("8014", "386830132uO+QR"),
        ValueVector("8013", "1987654Ad4X4bL5ttr2310c‹XK›", .invalidValue),
        ValueVector("8013", "1987654Ad4X4bL5ttr2310c‹2X›", .invalidValue),
        ValueVector("8013", "7907665Bm8v2‹BA›", .invalidValue),
        ValueVector("8013", "7907665bm8v2‹AB›", .invalidValue),
        ValueVector("8013", "97850l6KZm0y‹ab›", .invalidValue),
        ValueVector("8013", "225803106GSp‹00›", .invalidValue),
        ValueVector("8014", "386830132uO+‹QQ›", .invalidValue),
        ValueVector("8014", "386830132u0+‹QR›", .invalidValue),
        ValueVector("8013", "515942071CYx‹LM›", .invalidValue),
        ValueVector("8013", "12345‹67›", .invalidValue),
    ])
    func aKeyWithLettersEndsInItsCheckCharacters(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8004", "9506A"), ValueVector("8004", "95060001"), ValueVector("401", "1234"),
        ValueVector("401", "12345ABC"), ValueVector("7023", "0000X"),
        ValueVector("7023", "9506000"),
        ValueVector("8010", "9506-A"), ValueVector("8010", "1234"), ValueVector("8004", "12345"),
        ValueVector("401", "95060001343521"),
        ValueVector("8004", "950‹A›6", .invalidValue),
        ValueVector("8004", "‹A›9506", .invalidValue),
        ValueVector("8004", "‹123›", .invalidValue),
        ValueVector("401", "1‹-›234", .invalidValue),
        ValueVector("401", "12‹x›34", .invalidValue),
        ValueVector("401", "‹1›", .invalidValue),
        ValueVector("7023", "‹/›123", .invalidValue),
        ValueVector("7023", "‹12›", .invalidValue),
        ValueVector("8010", "12‹A›4", .invalidValue),
        ValueVector("8010", "‹#›1234", .invalidValue),
    ])
    func aKeyStartsWithACompanyPrefix(vector: ValueVector) {
        vector.check()
    }

    @Test func aKeyOfOneCharacterHasNoCheckCharacters() {
        let barcode = BarcodeDecoder().decode("(8013)1", aim: nil)
        #expect(barcode.problems.map(\.code) == [.invalidValue, .invalidValue])
        #expect(barcode.problems.map(\.span) == [6..<7, 6..<7])
    }
}
