import Barcodes
import Events
import Testing

@testable import EventService

@Test func theKindsThatCanBeAskedForAreThoseOfTheDecoder() {
    #expect(Set(EventFilter.allKinds) == Set(Barcode.Kind.allCases.map(\.rawValue)))
}
