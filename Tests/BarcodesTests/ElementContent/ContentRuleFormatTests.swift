import Barcodes
import Testing

struct ContentRuleFormatTests {
    @Test(arguments: [
        ValueVector("4321", "0"), ValueVector("4321", "1"), ValueVector("4322", "0"),
        ValueVector("4322", "1"), ValueVector("4323", "0"), ValueVector("4323", "1"),
        ValueVector("4321", "‹3›", .invalidValue),
        ValueVector("4321", "‹4›", .invalidValue),
        ValueVector("4321", "‹5›", .invalidValue),
        ValueVector("4322", "‹6›", .invalidValue),
        ValueVector("4322", "‹8›", .invalidValue),
        ValueVector("4323", "‹2›", .invalidValue),
        ValueVector("4321", "‹2›", .invalidValue), ValueVector("4321", "‹9›", .invalidValue),
        ValueVector("4322", "‹3›", .invalidValue), ValueVector("4323", "‹7›", .invalidValue),
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
        ValueVector("4330", "000001"),
        ValueVector("4331", "999999-"),
        ValueVector("4332", "010000"),
        ValueVector("4333", "000320-"),
        ValueVector("4330", "002500‹1›", .invalidValue),
        ValueVector("4330", "002500‹A›", .invalidValue),
        ValueVector("4330", "002500‹.›", .invalidValue),
        ValueVector("4330", "002500‹,›", .invalidValue),
        ValueVector("4330", "002500‹/›", .invalidValue),
        ValueVector("4330", "002500‹+›", .invalidValue),
        ValueVector("4331", "002500‹0›", .invalidValue),
        ValueVector("4332", "002500‹_›", .invalidValue),
        ValueVector("4333", "002500‹C›", .invalidValue),
        ValueVector("4333", "‹002500--›", .wrongLength),
    ])
    func aTemperatureBelowZeroEndsInAHyphen(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8003", "09506000134352"), ValueVector("8003", "00012345678905"),
        ValueVector("8003", "01234567890128"),
        ValueVector("8003", "00000000000000"),
        ValueVector("8003", "09999999999994"),
        ValueVector("8003", "04006381333931ABC"),
        ValueVector("8003", "07310865004703-1"),
        ValueVector("8003", "‹2›9506000134352", .invalidValue),
        ValueVector("8003", "‹3›9506000134352", .invalidValue),
        ValueVector("8003", "‹4›9506000134352", .invalidValue),
        ValueVector("8003", "‹5›9506000134352", .invalidValue),
        ValueVector("8003", "‹6›9506000134352", .invalidValue),
        ValueVector("8003", "‹7›9506000134352", .invalidValue),
        ValueVector("8003", "‹8›9506000134352", .invalidValue),
        ValueVector("8011", "10"),
        ValueVector("8011", "100"),
        ValueVector("8011", "2"),
        ValueVector("8011", "90"),
        ValueVector("8011", "5000"),
        ValueVector("8011", "999999999999"),
        ValueVector("8011", "‹0›0", .invalidValue),
        ValueVector("8011", "‹0›9", .invalidValue),
        ValueVector("8011", "‹0›10", .invalidValue),
        ValueVector("8011", "‹0›01", .invalidValue),
        ValueVector("8011", "‹0›99999", .invalidValue),
        ValueVector("8011", "‹0›00000000000", .invalidValue),
        ValueVector("8011", "‹0›5", .invalidValue),
        ValueVector("8003", "‹1›9506000134352", .invalidValue),
        ValueVector("8003", "‹9›9506000134352X", .invalidValue),
        ValueVector("8011", "0"), ValueVector("8011", "1"), ValueVector("8011", "123456789012"),
        ValueVector("8011", "‹0›1", .invalidValue), ValueVector("8011", "‹0›00", .invalidValue),
        ValueVector("8011", "‹0›12345", .invalidValue),
    ])
    func aZeroIsWhereItBelongs(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8014", "386830132uO+QR"), ValueVector("8014", "7907665Bm8v2AB"),
        ValueVector("8014", "12345_ABCDEFGHIJKLMCP"), ValueVector("8014", "149512464PM+GH"),
        ValueVector("8014", "225803106GSpEF"), ValueVector("8014", "62577B8fRG7HJK"),
        ValueVector("8014", "515942070CYxLM"), ValueVector("8014", "390800494sP6NP"),
        ValueVector("8014", "53395376X1:nST"), ValueVector("8014", "957813138Sb6UV"),
    ])
    func aDeviceIdentifierHasALetter(vector: ValueVector) {
        vector.check()
    }

    /// Ten device identifiers of four digits whose two check characters are also digits.
    private static let digitsOnly = (1000...9999).map { "\($0)\(checkCharacters($0))" }.filter {
        $0.allSatisfy(\.isNumber)
    }.prefix(10)

    /// Returns the check characters of four digits, which have the values 13 to 22 and the weights 7, 5, 3 and 2.
    private static func checkCharacters(_ body: Int) -> String {
        let digits = [body / 1000, body / 100 % 10, body / 10 % 10, body % 10].map { $0 + 13 }
        let sum = digits[0] * 7 + digits[1] * 5 + digits[2] * 3 + digits[3] * 2
        let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
        return String([alphabet[sum / 32], alphabet[sum % 32]])
    }

    @Test(arguments: digitsOnly) func aDeviceIdentifierOfDigitsIsWrong(key: String) {
        ValueVector("8014", "‹\(key)›", .invalidValue).check()
    }

    @Test(arguments: [
        ValueVector("4300", "ACME"), ValueVector("4300", "ACME%20Ltd"),
        ValueVector("4301", "J%c3%b6rg"),
        ValueVector("4302", "100%25"), ValueVector("4320", "%41%42"), ValueVector("7253", "A"),
        ValueVector("7254", "%7E"), ValueVector("7256", "A%20B"), ValueVector("7259", "a%0aB"),
        ValueVector("4316", "x%FFy"),
        ValueVector("4300", "ACME‹%›", .invalidValue),
        ValueVector("4300", "ACME‹%2›", .invalidValue),
        ValueVector("4301", "J‹%xy›rg", .invalidValue),
        ValueVector("4302", "100‹%%2›5", .invalidValue),
        ValueVector("4320", "%41‹%4G›", .invalidValue),
        ValueVector("7253", "‹%›", .invalidValue),
        ValueVector("7254", "‹%g0›", .invalidValue),
        ValueVector("7256", "A‹%0›", .invalidValue),
        ValueVector("7259", "‹%-1›", .invalidValue),
        ValueVector("4316", "‹%0x›FF", .invalidValue),
    ])
    func aPercentSignHasTwoDigitsBehindIt(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7040", "1AB-"), ValueVector("7040", "0ABa"), ValueVector("7040", "9zz_"),
        ValueVector("7040", "1AB0"), ValueVector("7040", "1ABZ"),
        ValueVector("7040", "0XXA"),
        ValueVector("7040", "5--z"),
        ValueVector("7040", "7__9"),
        ValueVector("7040", "2aBm"),
        ValueVector("7040", "3..5"),
        ValueVector("7040", "1AB‹&›", .invalidValue),
        ValueVector("7040", "1AB‹*›", .invalidValue),
        ValueVector("7040", "1AB‹.›", .invalidValue),
        ValueVector("7040", "1AB‹,›", .invalidValue),
        ValueVector("7040", "1AB‹:›", .invalidValue),
        ValueVector("7040", "1AB‹/›", .invalidValue),
        ValueVector("7040", "1AB‹!›", .invalidValue),
        ValueVector("7040", "1AB‹+›", .invalidValue),
        ValueVector("7040", "1AB‹%›", .invalidValue),
        ValueVector("7040", "1AB‹?›", .invalidValue),
        ValueVector("7040", "‹A›ABC", .wrongCharacter),
    ])
    func anImporterIndexIsOneCharacter(vector: ValueVector) {
        vector.check()
    }
}
