import Barcodes
import Testing

struct ContentRuleCodeListTests {
    @Test(arguments: [
        ValueVector("422", "276"), ValueVector("422", "004"), ValueVector("422", "894"),
        ValueVector("424", "752"), ValueVector("426", "840"), ValueVector("423", "276752"),
        ValueVector("423", "276752840004008"), ValueVector("425", "578"),
        ValueVector("421", "27612345"), ValueVector("7030", "999ABC"),
        ValueVector("7030", "276ABC"), ValueVector("7039", "528X"),
        ValueVector("422", "‹999›", .invalidCountry), ValueVector("422", "‹000›", .invalidCountry),
        ValueVector("422", "‹277›", .invalidCountry), ValueVector("424", "‹001›", .invalidCountry),
        ValueVector("426", "‹280›", .invalidCountry),
        ValueVector("423", "276‹753›", .invalidCountry),
        ValueVector("425", "‹900›", .invalidCountry),
        ValueVector("421", "‹998›12345", .invalidCountry),
        ValueVector("7030", "‹998›ABC", .invalidCountry),
        ValueVector("7031", "‹000›ABC", .invalidCountry),
    ])
    func aCountryHasThreeDigits(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("4307", "DE"), ValueVector("4307", "SE"), ValueVector("4307", "AD"),
        ValueVector("4307", "ZW"), ValueVector("4317", "GB"), ValueVector("4317", "US"),
        ValueVector("4317", "FI"), ValueVector("4317", "LT"), ValueVector("4317", "NO"),
        ValueVector("4317", "EE"),
        ValueVector("4307", "‹XX›", .invalidCountry), ValueVector("4307", "‹de›", .invalidCountry),
        ValueVector("4307", "‹UK›", .invalidCountry), ValueVector("4307", "‹00›", .invalidCountry),
        ValueVector("4307", "‹ZZ›", .invalidCountry), ValueVector("4317", "‹AA›", .invalidCountry),
        ValueVector("4317", "‹D1›", .invalidCountry), ValueVector("4317", "‹E-›", .invalidCountry),
        ValueVector("4317", "‹EU›", .invalidCountry), ValueVector("4317", "‹SU›", .invalidCountry),
    ])
    func aCountryHasTwoCapitalLetters(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("3912", "978349"), ValueVector("3912", "752349"), ValueVector("3910", "8401"),
        ValueVector("3932", "826100"), ValueVector("3932", "208100"), ValueVector("3930", "578100"),
        ValueVector("3919", "9991"), ValueVector("3939", "0081"), ValueVector("3933", "756100"),
        ValueVector("3913", "985100"),
        ValueVector("3912", "‹000›349", .invalidCurrency),
        ValueVector("3912", "‹276›349", .invalidCurrency),
        ValueVector("3910", "‹001›1", .invalidCurrency),
        ValueVector("3932", "‹998›1", .invalidCurrency),
        ValueVector("3932", "‹982›1", .invalidCurrency),
        ValueVector("3930", "‹111›1", .invalidCurrency),
        ValueVector("3919", "‹991›1", .invalidCurrency),
        ValueVector("3939", "‹007›1", .invalidCurrency),
        ValueVector("3933", "‹100›1", .invalidCurrency),
        ValueVector("3913", "‹983›1", .invalidCurrency),
    ])
    func aCurrencyHasThreeDigits(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7041", "1A"), ValueVector("7041", "ZZ"), ValueVector("7041", "PX"),
        ValueVector("7041", "8"), ValueVector("7041", "9"), ValueVector("7041", "201"),
        ValueVector("7041", "RB3"), ValueVector("7041", "WRP"), ValueVector("7041", "X20"),
        ValueVector("7041", "BX"),
        ValueVector("7041", "‹0›", .invalidPackageType),
        ValueVector("7041", "‹1›", .invalidPackageType),
        ValueVector("7041", "‹AAA›", .invalidPackageType),
        ValueVector("7041", "‹px›", .invalidPackageType),
        ValueVector("7041", "‹BX1›", .invalidPackageType),
        ValueVector("7041", "‹207›", .invalidPackageType),
        ValueVector("7041", "‹BXBX›", .invalidPackageType),
        ValueVector("7041", "‹B›", .invalidPackageType),
        ValueVector("7041", "‹XZ›", .invalidPackageType),
        ValueVector("7041", "‹99›", .invalidPackageType),
    ])
    func aPackageTypeIsInTheList(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7241", "01"), ValueVector("7241", "02"), ValueVector("7241", "03"),
        ValueVector("7241", "05"), ValueVector("7241", "09"), ValueVector("7241", "10"),
        ValueVector("7241", "80"), ValueVector("7241", "85"), ValueVector("7241", "90"),
        ValueVector("7241", "99"),
        ValueVector("7241", "‹00›", .invalidMediaType),
        ValueVector("7241", "‹11›", .invalidMediaType),
        ValueVector("7241", "‹12›", .invalidMediaType),
        ValueVector("7241", "‹29›", .invalidMediaType),
        ValueVector("7241", "‹30›", .invalidMediaType),
        ValueVector("7241", "‹45›", .invalidMediaType),
        ValueVector("7241", "‹59›", .invalidMediaType),
        ValueVector("7241", "‹60›", .invalidMediaType),
        ValueVector("7241", "‹70›", .invalidMediaType),
        ValueVector("7241", "‹79›", .invalidMediaType),
    ])
    func aMediaTypeIsAssigned(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7252", "0"), ValueVector("7252", "1"), ValueVector("7252", "2"),
        ValueVector("7252", "9"), ValueVector("7252", "‹3›", .invalidSex),
        ValueVector("7252", "‹4›", .invalidSex), ValueVector("7252", "‹5›", .invalidSex),
        ValueVector("7252", "‹6›", .invalidSex), ValueVector("7252", "‹7›", .invalidSex),
        ValueVector("7252", "‹8›", .invalidSex), ValueVector("7252", "‹M›", .wrongCharacter),
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
        ValueVector("8007", "BE‹71›096123456760", .invalidIBAN),
        ValueVector("8007", "FR‹77›30006000011234567890189", .invalidIBAN),
        ValueVector("8007", "‹XX›361234567890", .invalidIBAN),
        ValueVector("8007", "‹71›BE096123456769", .invalidIBAN),
        ValueVector("8007", "‹BE71›", .invalidIBAN),
        ValueVector("8007", "‹BE71096123›", .invalidIBAN),
        ValueVector("8007", "GB98‹m›idl07009312345678", .invalidIBAN),
        ValueVector("8007", "BE7109612345‹-›769", .invalidIBAN),
        ValueVector("8007", "NO‹39›86011117947", .invalidIBAN),
        ValueVector("8007", "DE‹91›100000000123456798", .invalidIBAN),
    ])
    func aBankAccountNumberHasItsCheckDigits(vector: ValueVector) {
        vector.check()
    }
}
