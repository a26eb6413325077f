import Barcodes
import Testing

struct ContentRuleNumberTests {
    @Test(arguments: [
        ValueVector("4309", "00000000000000000000"),
        ValueVector("4309", "18000000003600000000"),
        ValueVector("4309", "02790858483015297971"),
        ValueVector("4309", "09000000001800000000"),
        ValueVector("4309", "17999999993599999999"),
        ValueVector("4309", "00000000010000000001"),
        ValueVector("4309", "12345678902345678901"),
        ValueVector("4309", "09999999991111111111"),
        ValueVector("4309", "15000000002999999999"),
        ValueVector("4309", "17000000013500000000"),
        ValueVector("4309", "‹1800000001›0000000000", .invalidValue),
        ValueVector("4309", "‹9999999999›0000000000", .invalidValue),
        ValueVector("4309", "‹2000000000›0000000000", .invalidValue),
        ValueVector("4309", "‹1800000010›0000000000", .invalidValue),
        ValueVector("4309", "‹1900000000›0000000000", .invalidValue),
        ValueVector("4309", "‹3600000000›0000000000", .invalidValue),
        ValueVector("4309", "‹2700000000›0000000000", .invalidValue),
        ValueVector("4309", "‹1999999999›0000000000", .invalidValue),
        ValueVector("4309", "‹8000000000›0000000000", .invalidValue),
        ValueVector("4309", "‹5555555555›0000000000", .invalidValue),
        ValueVector("4309", "0000000000‹3600000001›", .invalidValue),
        ValueVector("4309", "0000000000‹9999999999›", .invalidValue),
        ValueVector("4309", "0000000000‹4000000000›", .invalidValue),
        ValueVector("4309", "0000000000‹3600000010›", .invalidValue),
        ValueVector("4309", "0000000000‹3700000000›", .invalidValue),
        ValueVector("4309", "0000000000‹5000000000›", .invalidValue),
        ValueVector("4309", "0000000000‹7777777777›", .invalidValue),
        ValueVector("4309", "0000000000‹3999999999›", .invalidValue),
        ValueVector("4309", "0000000000‹8000000000›", .invalidValue),
        ValueVector("4309", "0000000000‹6000000000›", .invalidValue),
        ValueVector("4309", "‹0000000000000000000›", .wrongLength),
    ])
    func aCoordinateIsOnTheGlobe(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8006", "095060001343520101"),
        ValueVector("8006", "095060001343520102"),
        ValueVector("8006", "095060001343520202"),
        ValueVector("8006", "095060001343529999"),
        ValueVector("8006", "095060001343520199"),
        ValueVector("8006", "095060001343529899"),
        ValueVector("8026", "095060001343520203"),
        ValueVector("8026", "095060001343520303"),
        ValueVector("8026", "095060001343521020"),
        ValueVector("8026", "095060001343525051"),
        ValueVector("8006", "09506000134352‹00›01", .invalidValue),
        ValueVector("8026", "0950600013435201‹00›", .invalidValue),
        ValueVector("8006", "09506000134352‹0201›", .invalidValue),
        ValueVector("8026", "09506000134352‹00›00", .invalidValue),
        ValueVector("8006", "09506000134352‹1009›", .invalidValue),
        ValueVector("8026", "09506000134352‹9998›", .invalidValue),
        ValueVector("8006", "0950600013435299‹00›", .invalidValue),
        ValueVector("8026", "09506000134352‹00›99", .invalidValue),
        ValueVector("8006", "09506000134352‹0302›", .invalidValue),
        ValueVector("8026", "09506000134352‹5049›", .invalidValue),
    ])
    func aPieceIsOneOfTheTotal(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("7258", "1/1"),
        ValueVector("7258", "1/2"),
        ValueVector("7258", "1/3"),
        ValueVector("7258", "2/3"),
        ValueVector("7258", "3/3"),
        ValueVector("7258", "8/9"),
        ValueVector("7258", "9/9"),
        ValueVector("7258", "4/7"),
        ValueVector("7258", "5/5"),
        ValueVector("7258", "6/8"),
        ValueVector("7258", "‹2/1›", .invalidValue),
        ValueVector("7258", "‹9/8›", .invalidValue),
        ValueVector("7258", "‹0›/1", .invalidValue),
        ValueVector("7258", "‹0›/0", .invalidValue),
        ValueVector("7258", "1/‹0›", .invalidValue),
        ValueVector("7258", "‹1//›", .invalidValue),
        ValueVector("7258", "‹//1›", .invalidValue),
        ValueVector("7258", "‹x/y›", .invalidValue),
        ValueVector("7258", "‹111›", .invalidValue),
        ValueVector("7258", "‹11/›", .invalidValue),
        ValueVector("7258", "‹/11›", .invalidValue),
        ValueVector("7258", "‹1-2›", .invalidValue),
        ValueVector("7258", "‹///›", .invalidValue),
    ])
    func aPositionIsNotBehindTheLast(vector: ValueVector) {
        vector.check()
    }

    @Test(arguments: [
        ValueVector("8001", "00010000100101"),
        ValueVector("8001", "99999999999990"),
        ValueVector("8001", "12345678901211"),
        ValueVector("8001", "00010000100199"),
        ValueVector("8001", "10000000110001"),
        ValueVector("8001", "01001000010012"),
        ValueVector("8001", "00990099009913"),
        ValueVector("8001", "50005000050094"),
        ValueVector("8001", "00020000200215"),
        ValueVector("8001", "99990000100196"),
        ValueVector("8001", "‹0000›0000100101", .invalidValue),
        ValueVector("8001", "‹0000›9999999900", .invalidValue),
        ValueVector("8001", "0001‹00000›00101", .invalidValue),
        ValueVector("8001", "1234‹00000›99912", .invalidValue),
        ValueVector("8001", "000100001‹000›01", .invalidValue),
        ValueVector("8001", "999999999‹000›99", .invalidValue),
        ValueVector("8001", "‹0000›1234512300", .invalidValue),
        ValueVector("8001", "1000‹00000›10001", .invalidValue),
        ValueVector("8001", "100010000‹000›00", .invalidValue),
        ValueVector("8001", "‹0000›0000100192", .invalidValue),
        ValueVector("8001", "000100001001‹2›1", .invalidValue),
        ValueVector("8001", "000100001001‹3›1", .invalidValue),
        ValueVector("8001", "000100001001‹4›1", .invalidValue),
        ValueVector("8001", "000100001001‹5›1", .invalidValue),
        ValueVector("8001", "000100001001‹6›1", .invalidValue),
        ValueVector("8001", "000100001001‹7›1", .invalidValue),
        ValueVector("8001", "000100001001‹8›1", .invalidValue),
        ValueVector("8001", "123456789012‹2›1", .invalidValue),
        ValueVector("8001", "123456789012‹5›0", .invalidValue),
        ValueVector("8001", "123456789012‹8›9", .invalidValue),
    ])
    func aRollHasDimensionsAndADirection(vector: ValueVector) {
        vector.check()
    }
}
