import Foundation
import Testing

/// The examples of the guide "Using triage as a library"; this target sees public declarations only.
@Suite struct `Library products` {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `an annotator finds the urgent message`() throws {
        let lines = try urgentLines(creator: Self.root.appendingPathComponent("Samples/creator.yaml").path)
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(#"{"id":"1""#) == true)
    }

    @Test func `an export is read without its format being named`() {
        let path = Self.root.appendingPathComponent("Samples/instagram-mara.zip").path
        #expect(countRecords(in: path) == "20 records, 0 refused")
    }

    @Test func `a missing export is named by its code`() {
        #expect(countRecords(in: "/nowhere/export.zip").hasPrefix("input.unreadable: "))
    }

    @Test(arguments: ["AnnotateExample.swift", "ReadExportExample.swift"])
    func `the guide shows the examples as they are compiled`(file: String) throws {
        let code = try String(
            contentsOf: Self.root.appendingPathComponent("Tests/TriageProductTests/\(file)"), encoding: .utf8)
        let guide = try String(
            contentsOf: Self.root.appendingPathComponent(
                "Sources/TriageCore/Documentation.docc/Guides/Using-as-a-library.md"), encoding: .utf8)
        #expect(guide.contains("```swift\n\(code)```"))
    }
}
