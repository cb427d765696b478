import Testing
import TriageConfig
import TriageCore

struct LoadedConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let shipped = [
        RuleSource(name: "s.yaml", bytes: Array("signals: [{name: a, words: [x], feeds: {spam: 1}}]".utf8))
    ]

    @Test func `takes a flag before the environment, that before the file, that before what lies beside it`() throws {
        for name in ["flag", "environment", "file"] { try folder.write("\(name).yaml", "id: \(name)\n") }
        try folder.write("creator.yaml", "id: found\n")
        try folder.write("triage.yaml", "creator: file.yaml\n")
        var request = ConfigurationRequest(folder: folder.path)
        request.environment["TRIAGE_CREATOR"] = "\(folder.path)/environment.yaml"
        request.creator = "\(folder.path)/flag.yaml"
        #expect(try LoadedConfiguration.load(request).creator.id == "flag")
        request.creator = nil
        #expect(try LoadedConfiguration.load(request).creator.id == "environment")
        request.environment = [:]
        let loaded = try LoadedConfiguration.load(request)
        #expect(loaded.creator.id == "file")
        #expect(loaded.files.map(\.origin) == [.found, .file])
        try folder.write("triage.yaml", "")
        #expect(try LoadedConfiguration.load(request).creator.id == "found")
    }

    @Test func `finds triage_yaml by flag and environment too`() throws {
        let file = try folder.write("other.yaml", "opportunity: {monetary: 30, brand_fit: 40}\n")
        var request = ConfigurationRequest(config: file)
        #expect(try LoadedConfiguration.load(request).settings.opportunity.brandFit == 40)
        request.config = nil
        request.environment["TRIAGE_CONFIG"] = file
        #expect(try LoadedConfiguration.load(request).settings.opportunity.brandFit == 40)
    }

    @Test func `leaves files alone that lie in a folder without triage_yaml`() throws {
        try folder.write("rules.yaml", "this: is somebody else's\n")
        try folder.write("creator.yaml", "id: x\n")
        let loaded = try LoadedConfiguration.load(ConfigurationRequest(folder: folder.path))
        #expect(loaded.files.isEmpty && loaded.creator == CreatorProfile())
    }

    @Test func `reports the faults of all files at once`() throws {
        try folder.write("triage.yaml", "opportunity: {monetary: 41}\nfaq: missing.yaml\n")
        try folder.write("creator.yaml", "nmae: x\n")
        try folder.write("rules.yaml", "signals: [{name: b, words: [\"\"], feeds: {}}]\n")
        let found = faults { collector in
            _ = try LoadedConfiguration.load(ConfigurationRequest(folder: folder.path), faults: collector) {
                _ = try RuleFileLoader.load(shipped: Self.shipped, user: $0)
            }
        }
        #expect(
            found == [
                "config.maxima-sum \(folder.path)/triage.yaml:1:14",
                "config.unknown-key \(folder.path)/creator.yaml:1:1",
                "config.not-readable \(folder.path)/missing.yaml",
                "rules.empty-pattern \(folder.path)/rules.yaml:1:29",
            ])
    }

    @Test func `hands on the rule file with a digest that the folder does not change`() throws {
        let text = "signals: [{name: b, words: [y], feeds: {}}]\n"
        let sources = try ["one.yaml", "two.yaml"].map { name in
            try LoadedConfiguration.load(ConfigurationRequest(rules: try folder.write(name, text))).userRules
        }
        #expect(sources.map { $0?.bytes } == [Array(text.utf8), Array(text.utf8)])
        let first = RuleSource.digest(shipped: Self.shipped, user: sources[0])
        #expect(first == RuleSource.digest(shipped: Self.shipped, user: sources[1]))
        #expect(first != RuleSource.digest(shipped: Self.shipped, user: nil))
        #expect(try RuleFileLoader.load(shipped: Self.shipped, user: sources[1]).digest == first)
    }

    @Test func `says that a folder is no file`() {
        let found = faults { _ in
            _ = try LoadedConfiguration.load(ConfigurationRequest(creator: folder.path))
        }
        #expect(found == ["config.not-readable \(folder.path)"])
    }
}
