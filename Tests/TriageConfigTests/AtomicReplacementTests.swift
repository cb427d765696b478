import Testing
import TriageCore

@testable import TriageConfig

/// Files of a user are replaced whole, and stay as private or as public as they were.
struct AtomicReplacementTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [0o600, 0o640, 0o644, 0o666, 0o400] as [UInt16])
    func `a file keeps its mode, whatever the user's mask`(mode: UInt16) throws {
        let path = try folder.write("faq.yaml", "old", mode: .init(mode))
        try AtomicReplacement.replace(path, with: Array("new".utf8))
        #expect(try folder.text("faq.yaml") == "new")
        #expect(folder.mode("faq.yaml") == .init(mode))
        #expect(folder.listing == ["faq.yaml"])
    }

    @Test func `a new file is its owner's alone`() throws {
        try AtomicReplacement.replace(folder.place("faq.yaml"), with: Array("new".utf8))
        #expect(folder.mode("faq.yaml") == 0o600)
    }

    @Test func `a symbolic link is refused, and what it leads to stays`() throws {
        try folder.write("there.yaml", "old")
        let link = folder.link("faq.yaml", to: folder.place("there.yaml"))
        let error = #expect(throws: TriageError.self) { try AtomicReplacement.replace(link, with: [0x78]) }
        #expect(error?.code == "output.symlink" && error?.exit == .cannotCreate)
        #expect(error?.remedy == "name the file it points to")
        #expect(try folder.text("there.yaml") == "old")
    }

    @Test(arguments: ["", "/no/such/faq.yaml"])
    func `what cannot be a file is refused, and no advice is about standard output`(name: String) {
        let error = #expect(throws: TriageError.self) {
            try AtomicReplacement.replace(folder.path + name, with: [0x78])
        }
        #expect(error?.code == "output.cannot-create" && error?.exit == .cannotCreate)
        #expect(error.map { !$0.description.contains("redirect") && !$0.description.contains("the output") } == true)
    }
}
