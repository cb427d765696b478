import Foundation
import Testing

/// What 750 real-looking messages get: the same bytes however the work is cut, and answers that hold together.
struct DeterminismTests {
    static let creators = ["alex", "maya", "theo"]

    @Test(arguments: creators)
    func `jobs and batch sizes change no byte`(creator: String) throws {
        let world = try CreatorWorld(creator)
        let first = try world.run(["--jobs", "1", "--batch-size", "512"], encodes: false)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.lines.count == world.lines.count)
        for jobs in ["1", "2", "3"] {
            for size in ["1", "7", "512"] {
                let again = try world.run(["--jobs", jobs, "--batch-size", size], encodes: false)
                #expect(again.output == first.output, "--jobs \(jobs) --batch-size \(size)")
            }
        }
    }

    @Test func `with the sentence encoder they change none either`() throws {
        let world = try CreatorWorld("alex")
        let records = Array(world.lines.prefix(60))
        let first = try world.run(["--jobs", "1", "--batch-size", "512"], records: records)
        #expect(first.status == 0 && first.lines.count == records.count, "\(first.errors)")
        for (jobs, size) in [("1", "7"), ("2", "1"), ("3", "16")] {
            let again = try world.run(["--jobs", jobs, "--batch-size", size], records: records)
            #expect(again.output == first.output, "--jobs \(jobs) --batch-size \(size)")
        }
    }

    @Test(arguments: creators)
    func `a second creator's messages before change nothing but what conversations carry`(creator: String) throws {
        let world = try CreatorWorld(creator)
        let all = try world.run([], encodes: false)
        // Without conversations each message stands alone: then order has no say.
        let alone = world.lines.map { $0.filter { $0.key != "conversation_id" } }
        let forward = try world.run([], records: alone, encodes: false)
        let backward = try world.run([], records: alone.reversed(), encodes: false)
        #expect(forward.lines == backward.lines.reversed())
        #expect(all.lines.count == forward.lines.count)
    }

    @Test(arguments: creators)
    func `every answer keeps the promises of the record`(creator: String) throws {
        let world = try CreatorWorld(creator)
        let outcome = try world.run([])
        try #require(outcome.lines.count == world.lines.count)
        for (line, input) in zip(outcome.lines, world.bytes) {
            let record = try #require(Annotated(line))
            #expect(record.record == input, "the record's own bytes")
            let id = record.whole["id"] as? String ?? "?"
            for fault in RecordPromises.faults(of: record) { Issue.record("\(id): \(fault)") }
        }
    }
}

/// One creator's messages, profile and library.
struct CreatorWorld {
    let folder: ScratchFolder
    let lines: [[String: Any]]
    let bytes: [[UInt8]]
    private let creator: String

    static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Data/creators")

    private static let withoutEncoder =
        data.deletingLastPathComponent().appendingPathComponent("without-encoder.yaml").path

    init(_ creator: String) throws {
        self.creator = creator
        folder = try ScratchFolder()
        let all = try JSONSerialization.jsonObject(
            with: Data(contentsOf: Self.data.appendingPathComponent("creators.json")))
        let one = try #require((all as? [[String: Any]])?.first { $0["id"] as? String == creator })
        try folder.write("creator.json", Array(try JSONSerialization.data(withJSONObject: one)))
        bytes = try Data(contentsOf: Self.data.appendingPathComponent("messages.jsonl")).split(separator: 0x0A)
            .map(Array.init).filter { Annotated.object($0[...])?["creator"] as? String == creator }
        lines = bytes.compactMap { Annotated.object($0[...]) }
        try folder.write("messages.jsonl", Array(bytes.joined(separator: [0x0A])) + [0x0A])
    }

    /// Annotates the messages, or others, with the creator's own files.
    ///
    /// - Parameter encodes: whether the sentence encoder reads them, which takes 50 ms each.
    func run(
        _ arguments: [String], records: [[String: Any]]? = nil, encodes: Bool = true
    ) throws -> Program.Outcome {
        var path = folder.place("messages.jsonl")
        if let records {
            let lines = try records.map { Array(try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)) }
            path = try folder.write("other.jsonl", Array(lines.joined(separator: [0x0A])) + [0x0A])
        }
        return try Program.run(
            [
                "run", path, "--creator", folder.place("creator.json"), "--faq",
                Self.data.appendingPathComponent("faq-\(creator).json").path,
            ] + (encodes ? [] : ["--config", Self.withoutEncoder]) + arguments)
    }
}
