import Barcodes
import Testing

struct CouponTests {
    /// Company 123456, offer 123456, save value 1, requirement 1 of code 0, family 123.
    private static let offer = "012345612345611110123"

    @Test(arguments: [
        ValueVector("8110", offer),
        ValueVector("8110", "6123456789012123456" + "512345" + "512345" + "9" + "123"),
        ValueVector("8110", offer + "10110123" + "9"),
        ValueVector("8110", offer + "10110123" + "0123456"),
        ValueVector("8110", offer + "2110123" + "9"),
        ValueVector("8110", offer + "3261231"), ValueVector("8110", offer + "4260101"),
        ValueVector("8110", offer + "3261231" + "4260101"),
        ValueVector("8110", offer + "3260101" + "4260101"),
        ValueVector("8110", offer + "50123456"), ValueVector("8110", offer + "611234567"),
        ValueVector("8110", offer + "90000"), ValueVector("8110", offer + "96291"),
        ValueVector("8110", "01234561234561111012‹A›", .invalidValue),
        ValueVector("8110", "‹7›12345612345611110123", .invalidValue),
        ValueVector("8110", "0‹12345›", .invalidValue),
        ValueVector("8110", "0123456‹12345›", .invalidValue),
        ValueVector("8110", "0123456123456‹0›1110123", .invalidValue),
        ValueVector("8110", "0123456123456‹6›1110123", .invalidValue),
        ValueVector("8110", "012345612345611‹0›10123", .invalidValue),
        ValueVector("8110", "01234561234561111‹5›123", .invalidValue),
        ValueVector("8110", "012345612345611110‹12›", .invalidValue),
        ValueVector("8110", offer + "1‹4›", .invalidValue),
        ValueVector("8110", offer + "3‹2612›", .invalidValue),
        ValueVector("8110", offer + "326‹13›01", .invalidValue),
        ValueVector("8110", offer + "3260101" + "4‹260102›", .invalidValue),
        ValueVector("8110", offer + "51‹123456›", .invalidValue),
        ValueVector("8110", offer + "6‹0›", .invalidValue),
        ValueVector("8110", offer + "9‹3›", .invalidValue),
        ValueVector("8110", offer + "90‹3›", .invalidValue),
        ValueVector("8110", offer + "9000‹2›", .invalidValue),
        ValueVector("8110", offer + "‹7›", .invalidValue),
        ValueVector("8110", offer + "4260101‹3261231›", .invalidValue),
    ])
    func aCouponHasItsFields(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8112", "001234561234560123456"), ValueVector("8112", "101234561234560123456"),
        ValueVector("8112", "0012345612345611234567"),
        ValueVector("8112", "061234567890121234569123456789012345"),
        ValueVector("8112", "001234561234569123456789012345"),
        ValueVector("8112", "‹2›01234561234560123456", .invalidValue),
        ValueVector("8112", "0‹7›", .invalidValue),
        ValueVector("8112", "00‹12345›", .invalidValue),
        ValueVector("8112", "00123456‹12345›", .invalidValue),
        ValueVector("8112", "001234561234560‹12345›", .invalidValue),
        ValueVector("8112", "001234561234561‹123456›", .invalidValue),
        ValueVector("8112", "001234561234560123456‹7›", .invalidValue),
        ValueVector("8112", "‹a›01234561234560123456", .invalidValue),
    ])
    func aPositiveOfferHasItsFields(vector: ValueVector) {
        vector.check()
    }

    @Test func theMissingFieldIsNamed() {
        let barcode = BarcodeDecoder().decode("(8112)00123456123456", aim: nil)
        #expect(barcode.kind == .coupon)
        #expect(
            barcode.problems.map(\.message) == [
                "\"00123456123456\" in (8112) is invalid: expected the length of the serial number: "
                    + "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, got \"\"."
            ])
        #expect(barcode.problems.map(\.at) == [20])
    }
}
