import Foundation
import Testing
import TriageCore
import TriageMatching

final class RuleCacheTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triage-\(UUID().uuidString)")
    private let rules = ScannedTexts.rules([(.word, "collab"), (.regex, "[0-9]+ reels?"), (.literal, "\u{1F4B8}")])

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var cache: RuleCache { RuleCache(folder: folder.path, version: "1") }
    private var listing: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private func store(_ digest: String = "d") throws {
        cache.store(rules: rules, database: try PatternDatabase(rules: rules), key: cache.key(digest: digest))
    }

    @Test func `what was kept finds what the rules find, and is for its owner alone`() throws {
        try store()
        let entry = try #require(cache.load(key: cache.key(digest: "d")))
        #expect(entry.rules.signals.map(\.name) == rules.signals.map(\.name))
        let texts = ["A COLLAB for 2 reels \u{1F4B8}", "collaborate"]
        #expect(
            ScannedTexts(texts, database: entry.database).quotes
                == ScannedTexts(texts, database: try PatternDatabase(rules: rules)).quotes)
        let path = folder.appendingPathComponent(try #require(listing.first)).path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `another version and other rules have entries of their own`() throws {
        try store()
        #expect(cache.load(key: cache.key(digest: "other")) == nil)
        let later = RuleCache(folder: folder.path, version: "2")
        #expect(later.load(key: later.key(digest: "d")) == nil)
        let none = RuleCache(folder: nil, version: "1")
        none.store(rules: rules, database: try PatternDatabase(rules: rules), key: none.key(digest: "d"))
        #expect(none.load(key: none.key(digest: "d")) == nil)
    }

    @Test func `a file that is cut or changed anywhere is none`() throws {
        try store()
        let path = folder.appendingPathComponent(try #require(listing.first))
        let whole = [UInt8](try Data(contentsOf: path))
        for place in stride(from: 0, to: whole.count, by: max(1, whole.count / 200)) {
            var changed = whole
            changed[place] ^= 0x10
            try Data(changed).write(to: path)
            #expect(cache.load(key: cache.key(digest: "d")) == nil, "byte \(place)")
            try Data(whole[..<place]).write(to: path)
            #expect(cache.load(key: cache.key(digest: "d")) == nil, "\(place) bytes")
        }
        try Data(whole).write(to: path)
        #expect(cache.load(key: cache.key(digest: "d")) != nil)
    }

    @Test func `what a killed process of the same number left behind is in nobody's way`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = "rules-\(cache.key(digest: "d").prefix(32)).bin.\(ProcessInfo.processInfo.processIdentifier).part"
        try Data("half".utf8).write(to: folder.appendingPathComponent(name))
        try store()
        #expect(cache.load(key: cache.key(digest: "d")) != nil)
    }

    @Test func `the newest eight stay, and what is not ours`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["llm.db", "rules-0.bin.1.part"] {
            let path = folder.appendingPathComponent(name).path
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        }
        for number in 0..<10 { try store("\(number)") }
        #expect(listing.count == 9 && listing.contains("llm.db"))
        #expect(listing.allSatisfy { !$0.hasSuffix(".part") })
        #expect(cache.load(key: cache.key(digest: "9")) != nil)
    }
}
