import Barcodes
import Testing

struct ContentRuleFormatTests {
    @Test(arguments: [
        ValueVector("4309", "00000000000000000000"), ValueVector("4309", "18000000003600000000"),
        ValueVector("4309", "02790858483015297971"), ValueVector("4309", "09000000001800000000"),
        ValueVector("4309", "‹1800000001›0000000000", .invalidLatitude),
        ValueVector("4309", "‹9999999999›0000000000", .invalidLatitude),
        ValueVector("4309", "‹2000000000›3600000000", .invalidLatitude),
        ValueVector("4309", "0000000000‹3600000001›", .invalidLongitude),
        ValueVector("4309", "1800000000‹9999999999›", .invalidLongitude),
        ValueVector("4309", "0000000000‹4000000000›", .invalidLongitude),
        ValueVector("4309", "‹0000000000000000000›", .wrongLength),
    ])
    func aCoordinateIsOnTheGlobe(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8006", "095060001343520101"), ValueVector("8006", "095060001343520102"),
        ValueVector("8006", "095060001343529999"), ValueVector("8006", "095060001343520199"),
        ValueVector("8026", "095060001343520203"), ValueVector("8026", "095060001343520303"),
        ValueVector("8006", "09506000134352‹00›01", .invalidPieceOfTotal),
        ValueVector("8006", "0950600013435201‹00›", .invalidPieceOfTotal),
        ValueVector("8006", "09506000134352‹0201›", .invalidPieceOfTotal),
        ValueVector("8026", "09506000134352‹00›00", .invalidPieceOfTotal),
        ValueVector("8026", "09506000134352‹1009›", .invalidPieceOfTotal),
        ValueVector("8026", "09506000134352‹9998›", .invalidPieceOfTotal),
    ])
    func aPieceIsOneOfTheTotal(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7258", "1/1"), ValueVector("7258", "1/3"), ValueVector("7258", "2/3"),
        ValueVector("7258", "3/3"), ValueVector("7258", "8/9"),
        ValueVector("7258", "‹2/1›", .invalidPosition),
        ValueVector("7258", "‹0›/1", .invalidPosition),
        ValueVector("7258", "1/‹0›", .invalidPosition),
        ValueVector("7258", "‹1//›", .invalidPosition),
        ValueVector("7258", "‹//1›", .invalidPosition),
        ValueVector("7258", "‹x/y›", .invalidPosition),
        ValueVector("7258", "‹111›", .invalidPosition),
        ValueVector("7258", "‹11/›", .invalidPosition),
    ])
    func aPositionIsNotBehindTheLast(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8001", "00010000100101"), ValueVector("8001", "99999999999990"),
        ValueVector("8001", "12345678901211"), ValueVector("8001", "00010000100199"),
        ValueVector("8001", "‹0000›0000100101", .zeroNotAllowed),
        ValueVector("8001", "0001‹00000›00101", .zeroNotAllowed),
        ValueVector("8001", "000100001‹000›01", .zeroNotAllowed),
        ValueVector("8001", "000100001001‹2›1", .invalidWinding),
        ValueVector("8001", "000100001001‹8›1", .invalidWinding),
        ValueVector("8001", "000100001001‹5›1", .invalidWinding),
    ])
    func aRollHasDimensionsAndADirection(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("4321", "0"), ValueVector("4321", "1"), ValueVector("4322", "0"),
        ValueVector("4322", "1"), ValueVector("4323", "0"), ValueVector("4323", "1"),
        ValueVector("4321", "‹2›", .invalidYesNo), ValueVector("4321", "‹9›", .invalidYesNo),
        ValueVector("4322", "‹3›", .invalidYesNo), ValueVector("4323", "‹7›", .invalidYesNo),
        ValueVector("4323", "‹Y›", .wrongCharacter),
    ])
    func yesIsOneAndNoIsZero(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("4330", "002500"), ValueVector("4330", "002500-"),
        ValueVector("4331", "001000"),
        ValueVector("4331", "001000-"), ValueVector("4332", "000000-"),
        ValueVector("4333", "000100"),
        ValueVector("4330", "002500‹+›", .missingHyphen),
        ValueVector("4331", "002500‹0›", .missingHyphen),
        ValueVector("4332", "002500‹_›", .missingHyphen),
        ValueVector("4333", "002500‹C›", .missingHyphen),
        ValueVector("4333", "‹002500--›", .wrongLength),
    ])
    func aTemperatureBelowZeroEndsInAHyphen(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8003", "09506000134352"), ValueVector("8003", "00012345678905"),
        ValueVector("8003", "‹1›9506000134352", .zeroRequired),
        ValueVector("8003", "‹9›9506000134352X", .zeroRequired),
        ValueVector("8011", "0"), ValueVector("8011", "1"), ValueVector("8011", "123456789012"),
        ValueVector("8011", "‹0›1", .leadingZero), ValueVector("8011", "‹0›00", .leadingZero),
        ValueVector("8011", "‹0›12345", .leadingZero),
    ])
    func aZeroIsWhereItBelongs(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8014", "386830132uO+QR"), ValueVector("8014", "7907665Bm8v2AB"),
        ValueVector("8014", "12345_ABCDEFGHIJKLMCP"), ValueVector("8014", "149512464PM+GH"),
        ValueVector("8014", "225803106GSpEF"),
    ])
    func aDeviceIdentifierHasALetter(vector: ValueVector) {
        vector.check()
    }

    @Test func aDeviceIdentifierOfDigitsIsWrong() throws {
        let bodies = (1000...1999).map(String.init)
        let digits = bodies.first { CheckCharacters.gs1(for: $0)?.allSatisfy(\.isNumber) == true }
        let body = try #require(digits)
        let pair = try #require(CheckCharacters.gs1(for: body))
        ValueVector("8014", "‹\(body)\(pair)›", .missingNonDigit).check()
    }

    @Test(arguments: [
        ValueVector("4300", "ACME"), ValueVector("4300", "ACME%20Ltd"),
        ValueVector("4301", "J%c3%b6rg"),
        ValueVector("4302", "100%25"), ValueVector("4320", "%41%42"), ValueVector("7253", "A"),
        ValueVector("7254", "%7E"), ValueVector("7256", "A%20B"), ValueVector("7259", "a%0aB"),
        ValueVector("4316", "x%FFy"),
        ValueVector("4300", "ACME‹%›", .invalidPercentEncoding),
        ValueVector("4300", "ACME‹%2›", .invalidPercentEncoding),
        ValueVector("4301", "J‹%xy›rg", .invalidPercentEncoding),
        ValueVector("4302", "100‹%%2›5", .invalidPercentEncoding),
        ValueVector("4320", "%41‹%4G›", .invalidPercentEncoding),
        ValueVector("7253", "‹%›", .invalidPercentEncoding),
        ValueVector("7254", "‹%g0›", .invalidPercentEncoding),
        ValueVector("7256", "A‹%0›", .invalidPercentEncoding),
        ValueVector("7259", "‹%-1›", .invalidPercentEncoding),
        ValueVector("4316", "‹%0x›FF", .invalidPercentEncoding),
    ])
    func aPercentSignHasTwoDigitsBehindIt(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7040", "1AB-"), ValueVector("7040", "0ABa"), ValueVector("7040", "9zz_"),
        ValueVector("7040", "1AB0"), ValueVector("7040", "1ABZ"),
        ValueVector("7040", "1AB‹/›", .invalidImporterIndex),
        ValueVector("7040", "1AB‹!›", .invalidImporterIndex),
        ValueVector("7040", "1AB‹+›", .invalidImporterIndex),
        ValueVector("7040", "1AB‹%›", .invalidImporterIndex),
        ValueVector("7040", "1AB‹?›", .invalidImporterIndex),
        ValueVector("7040", "‹A›ABC", .wrongCharacter),
    ])
    func anImporterIndexIsOneCharacter(vector: ValueVector) {
        vector.check()
    }
}
