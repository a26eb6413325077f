import Testing

@testable import Journal

@Suite struct CursorTests {
    @Test func aCursorIsReadAsItIsWritten() throws {
        let cursor = Cursor(epoch: .new(), sequence: 42)
        #expect(Cursor(cursor.description) == cursor)
        #expect(Cursor("\(cursor.epoch)-00000000000000000042") == cursor)
    }

    @Test(arguments: [
        "", "-", "k3v9q0c2m7xd", "k3v9q0c2m7xd-", "k3v9q0c2m7xd--1", "k3v9q0c2m7xd-1-",
        "k3v9q0c2m7x-1", "k3v9q0c2m7xdd-1", "K3v9q0c2m7xd-1", "k3v9q0c2m7xd-+1",
        "k3v9q0c2m7xd-99999999999999999999", "k3v9q0c2m7xd-1 ", "k3v9q0c2m7ä-1",
    ])
    func whatIsNoCursorIsNone(text: String) {
        #expect(Cursor(text) == nil)
    }
}
