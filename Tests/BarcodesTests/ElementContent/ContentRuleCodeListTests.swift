import Barcodes
import Testing

struct ContentRuleCodeListTests {
    @Test(arguments: [
        ValueVector("422", "276"), ValueVector("422", "004"), ValueVector("422", "894"),
        ValueVector("424", "752"), ValueVector("426", "840"), ValueVector("423", "276752"),
        ValueVector("423", "276752840004008"), ValueVector("425", "578"),
        ValueVector("421", "27612345"), ValueVector("7030", "999ABC"),
        ValueVector("7030", "276ABC"), ValueVector("7039", "528X"),
        ValueVector("422", "‹999›", .invalidValue), ValueVector("422", "‹000›", .invalidValue),
        ValueVector("422", "‹277›", .invalidValue), ValueVector("424", "‹001›", .invalidValue),
        ValueVector("426", "‹280›", .invalidValue),
        ValueVector("423", "276‹753›", .invalidValue),
        ValueVector("425", "‹900›", .invalidValue),
        ValueVector("421", "‹998›12345", .invalidValue),
        ValueVector("7030", "‹998›ABC", .invalidValue),
        ValueVector("7031", "‹000›ABC", .invalidValue),
    ])
    func aCountryHasThreeDigits(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("4307", "DE"), ValueVector("4307", "SE"), ValueVector("4307", "AD"),
        ValueVector("4307", "ZW"), ValueVector("4317", "GB"), ValueVector("4317", "US"),
        ValueVector("4317", "FI"), ValueVector("4317", "LT"), ValueVector("4317", "NO"),
        ValueVector("4317", "EE"),
        ValueVector("4307", "‹XX›", .invalidValue), ValueVector("4307", "‹de›", .invalidValue),
        ValueVector("4307", "‹UK›", .invalidValue), ValueVector("4307", "‹00›", .invalidValue),
        ValueVector("4307", "‹ZZ›", .invalidValue), ValueVector("4317", "‹AA›", .invalidValue),
        ValueVector("4317", "‹D1›", .invalidValue), ValueVector("4317", "‹E-›", .invalidValue),
        ValueVector("4317", "‹EU›", .invalidValue), ValueVector("4317", "‹SU›", .invalidValue),
    ])
    func aCountryHasTwoCapitalLetters(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("3912", "978349"), ValueVector("3912", "752349"), ValueVector("3910", "8401"),
        ValueVector("3932", "826100"), ValueVector("3932", "208100"), ValueVector("3930", "578100"),
        ValueVector("3919", "9991"), ValueVector("3939", "0081"), ValueVector("3933", "756100"),
        ValueVector("3913", "985100"),
        ValueVector("3912", "‹000›349", .invalidValue),
        ValueVector("3912", "‹276›349", .invalidValue),
        ValueVector("3910", "‹001›1", .invalidValue),
        ValueVector("3932", "‹998›1", .invalidValue),
        ValueVector("3932", "‹982›1", .invalidValue),
        ValueVector("3930", "‹111›1", .invalidValue),
        ValueVector("3919", "‹991›1", .invalidValue),
        ValueVector("3939", "‹007›1", .invalidValue),
        ValueVector("3933", "‹100›1", .invalidValue),
        ValueVector("3913", "‹983›1", .invalidValue),
    ])
    func aCurrencyHasThreeDigits(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7041", "1A"), ValueVector("7041", "ZZ"), ValueVector("7041", "PX"),
        ValueVector("7041", "8"), ValueVector("7041", "9"), ValueVector("7041", "201"),
        ValueVector("7041", "RB3"), ValueVector("7041", "WRP"), ValueVector("7041", "X20"),
        ValueVector("7041", "BX"),
        ValueVector("7041", "‹0›", .invalidValue),
        ValueVector("7041", "‹1›", .invalidValue),
        ValueVector("7041", "‹AAA›", .invalidValue),
        ValueVector("7041", "‹px›", .invalidValue),
        ValueVector("7041", "‹BX1›", .invalidValue),
        ValueVector("7041", "‹207›", .invalidValue),
        ValueVector("7041", "‹BXBX›", .invalidValue),
        ValueVector("7041", "‹B›", .invalidValue),
        ValueVector("7041", "‹XZ›", .invalidValue),
        ValueVector("7041", "‹99›", .invalidValue),
    ])
    func aPackageTypeIsInTheList(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7241", "01"), ValueVector("7241", "02"), ValueVector("7241", "03"),
        ValueVector("7241", "05"), ValueVector("7241", "09"), ValueVector("7241", "10"),
        ValueVector("7241", "80"), ValueVector("7241", "85"), ValueVector("7241", "90"),
        ValueVector("7241", "99"),
        ValueVector("7241", "‹00›", .invalidValue),
        ValueVector("7241", "‹11›", .invalidValue),
        ValueVector("7241", "‹12›", .invalidValue),
        ValueVector("7241", "‹29›", .invalidValue),
        ValueVector("7241", "‹30›", .invalidValue),
        ValueVector("7241", "‹45›", .invalidValue),
        ValueVector("7241", "‹59›", .invalidValue),
        ValueVector("7241", "‹60›", .invalidValue),
        ValueVector("7241", "‹70›", .invalidValue),
        ValueVector("7241", "‹79›", .invalidValue),
    ])
    func aMediaTypeIsAssigned(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7252", "0"), ValueVector("7252", "1"), ValueVector("7252", "2"),
        ValueVector("7252", "9"), ValueVector("7252", "‹3›", .invalidValue),
        ValueVector("7252", "‹4›", .invalidValue), ValueVector("7252", "‹5›", .invalidValue),
        ValueVector("7252", "‹6›", .invalidValue), ValueVector("7252", "‹7›", .invalidValue),
        ValueVector("7252", "‹8›", .invalidValue), ValueVector("7252", "‹M›", .wrongCharacter),
    ])
    func aSexIsOneOfFourDigits(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8007", "FR7630006000011234567890189"),
        ValueVector("8007", "DE91100000000123456789"),
        ValueVector("8007", "MU43BOMM0101123456789101000MUR"),
        ValueVector("8007", "CH5604835012345678009"),
        ValueVector("8007", "GB98MIDL07009312345678"), ValueVector("8007", "BE71096123456769"),
        ValueVector("8007", "MT90MALT011000012345MTLCAST001SABC"),
        ValueVector("8007", "NO9386011117947"), ValueVector("8007", "SE4550000000058398257466"),
        ValueVector("8007", "GB33BUKB20201555555555"),
        ValueVector("8007", "BE‹71›096123456760", .invalidValue),
        ValueVector("8007", "FR‹77›30006000011234567890189", .invalidValue),
        ValueVector("8007", "‹XX›361234567890", .invalidValue),
        ValueVector("8007", "‹71›BE096123456769", .invalidValue),
        ValueVector("8007", "‹BE71›", .invalidValue),
        ValueVector("8007", "‹BE71096123›", .invalidValue),
        ValueVector("8007", "GB98‹m›idl07009312345678", .invalidValue),
        ValueVector("8007", "BE7109612345‹-›769", .invalidValue),
        ValueVector("8007", "NO‹39›86011117947", .invalidValue),
        ValueVector("8007", "DE‹91›100000000123456798", .invalidValue),
    ])
    func aBankAccountNumberHasItsCheckDigits(vector: ValueVector) {
        vector.check()
    }
}
