import Foundation
import Glibc
import TestFolders
import Testing
import WireText

@Suite(.enabled(if: geteuid() == 0, "only root may give files away"))
struct FolderOwnerTests {
    private let folder: TemporaryFolder
    private let other: uid_t = 65534

    init() throws {
        folder = try TemporaryFolder()
        try #require(chown(folder.path, other, other) == 0)
    }

    private func owner(_ path: String) throws -> uid_t {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_uid
    }

    /// Opens the file at a path, tries to give it away, and returns its owner afterwards.
    private func ownerAfterGiving(_ path: String) throws -> uid_t {
        let descriptor = open(path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        FolderOwner.give(descriptor, at: path)
        return try owner(path)
    }

    @Test func aNewFileAndFolderAreTheOwners() throws {
        FolderOwner.createFile(folder.path("file"), mode: 0o600)
        FolderOwner.createFolder(folder.path("sub"), mode: 0o700)
        #expect(try owner(folder.path("file")) == other)
        #expect(try owner(folder.path("sub")) == other)
    }

    @Test func anExistingFileStaysAsItIs() throws {
        try folder.write("text", to: "file")
        FolderOwner.createFile(folder.path("file"), mode: 0o600)
        #expect(try owner(folder.path("file")) == 0)
        #expect(try String(contentsOfFile: folder.path("file"), encoding: .utf8) == "text")
    }

    @Test func aLinkToAFileOfRootGivesNothingAway() throws {
        let secret = try TemporaryFolder()
        let file = try secret.write("", to: "empty")
        try #require(symlink(file, folder.path("symbolic")) == 0)
        #expect(try ownerAfterGiving(folder.path("symbolic")) == 0)
        try #require(link(file, folder.path("hard")) == 0)
        #expect(try ownerAfterGiving(folder.path("hard")) == 0)
    }

    /// The folder's owner may have moved one of root's own files to this path, so only an empty file is given away.
    @Test func aFileWithContentStaysRoots() throws {
        #expect(try ownerAfterGiving(folder.write("text", to: "lock")) == 0)
        #expect(try ownerAfterGiving(folder.write("", to: "lock")) == other)
    }

    @Test func aFileOfAThirdUserStaysHis() throws {
        let file = try folder.write("", to: "file")
        try #require(chown(file, 1234, 1234) == 0)
        #expect(try ownerAfterGiving(file) == 1234)
    }

    @Test func aPathWithoutASlashIsInTheWorkingFolder() {
        #expect(["/a/b", "/a", "a", "a/b/c", ""].map(\.folder) == ["/a", "/", ".", "a/b", "."])
    }
}
