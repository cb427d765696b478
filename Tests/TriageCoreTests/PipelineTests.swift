import Synchronization
import Testing
import TriageCore

struct PipelineTests {
    /// Writes each line's length behind its bytes, so that a wrong order or a lost line shows.
    private static func pipeline(jobs: Int, slots: [StageSlot] = []) throws -> Pipeline<NoTally> {
        Pipeline(
            plan: try StagePlan(slots), jobs: jobs,
            read: { batch in
                for index in batch.input.lines.indices {
                    var record = Record()
                    record.line = index
                    batch.records.append(record)
                }
            },
            encode: { batch in
                var out: [UInt8] = []
                for record in batch.records {
                    out += batch.input.bytes[batch.input.lines[record.line].span.range]
                    out += Array(" \(record.priority ?? -1)\n".utf8)
                }
                return BatchResult(
                    sequence: batch.input.sequence, output: ByteBlock(out), rejects: [], tally: NoTally())
            })
    }

    private struct NoTally: Sendable {}

    private static func run(_ pipeline: Pipeline<NoTally>, lines: [String], batchSize: Int) async throws -> String {
        let channel = BatchChannel(capacity: 2)
        let written = Mutex<[UInt8]>([])
        try await pipeline.run(
            channel: channel,
            source: {
                let assembler = BatchAssembler(maximumLines: batchSize) { try channel.send($0) }
                for (number, line) in lines.enumerated() {
                    try Array(line.utf8).withUnsafeBufferPointer {
                        try assembler.append(line: $0, number: number + 1, offset: 0)
                    }
                }
                try assembler.flush()
            },
            sink: { result in written.withLock { $0 += result.output.array } })
        return String(decoding: written.withLock { $0 }, as: UTF8.self)
    }

    /// Numbers every record in the order in which it sees them.
    private final class Counter: OrderedStage {
        let name = "test.count"
        let reads: Set<Field> = []
        let writes: Set<Field> = [.priority]
        private let next = Mutex(0)
        func annotate(_ batch: inout Batch) {
            next.withLock { next in
                for index in batch.records.indices {
                    batch.records[index].priority = next
                    next += 1
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 8], [1, 7, 512])
    func `the same bytes come out for every number of jobs and batch size`(jobs: Int, batchSize: Int) async throws {
        let lines = (0..<1000).map { "line \($0) \(String(repeating: "x", count: $0 % 40))" }
        let out = try await Self.run(
            Self.pipeline(jobs: jobs, slots: [.ordered(Counter())]), lines: lines, batchSize: batchSize)
        #expect(out == lines.enumerated().map { "\($1) \($0)\n" }.joined())
    }

    @Test func `no input gives no output and ends`() async throws {
        #expect(try await Self.run(Self.pipeline(jobs: 2), lines: [], batchSize: 4) == "")
    }

    @Test func `a failing sink ends the run with its error, and the reader is turned away`() async throws {
        let pipeline = try Self.pipeline(jobs: 2)
        let channel = BatchChannel(capacity: 2)
        let sent = Mutex(0)
        await #expect(throws: TriageError.self) {
            try await pipeline.run(
                channel: channel,
                source: {
                    for sequence in 0..<100_000 {
                        try channel.send(InputBatch(sequence: sequence))
                        sent.withLock { $0 += 1 }
                    }
                },
                sink: { result in
                    if result.sequence == 3 { throw TriageError("output.io", "disk full", exit: .ioError) }
                })
        }
        #expect(sent.withLock { $0 } < 1000)
    }

    @Test func `a failing source ends the run after what it sent was written`() async throws {
        let pipeline = try Self.pipeline(jobs: 2)
        let channel = BatchChannel(capacity: 2)
        let written = Mutex(0)
        await #expect(throws: TriageError.self) {
            try await pipeline.run(
                channel: channel,
                source: {
                    for sequence in 0..<5 { try channel.send(InputBatch(sequence: sequence)) }
                    throw TriageError("input.unreadable", "gone", exit: .noInput)
                },
                sink: { _ in written.withLock { $0 += 1 } })
        }
        #expect(written.withLock { $0 } == 5)
    }

    @Test func `a slow sink slows the source: batches in flight are bounded`() async throws {
        let pipeline = try Self.pipeline(jobs: 2)
        let channel = BatchChannel(capacity: 2)
        let ahead = Mutex((sent: 0, written: 0, most: 0))
        try await pipeline.run(
            channel: channel,
            source: {
                for sequence in 0..<200 {
                    try channel.send(InputBatch(sequence: sequence))
                    ahead.withLock { state in
                        state.sent += 1
                        state.most = max(state.most, state.sent - state.written)
                    }
                }
            },
            sink: { _ in ahead.withLock { $0.written += 1 } })
        #expect(ahead.withLock { $0.most } <= 12)
    }
}

struct StagePlanTests {
    private struct Probe: LocalStage {
        var name: String
        var reads: Set<Field> = []
        var writes: Set<Field> = []
        func annotate(_ batch: inout Batch) {}
    }

    @Test func `a stage that reads what no earlier stage writes is refused before the first message`() {
        let error = #expect(throws: TriageErrors.self) {
            try StagePlan([
                .local(Probe(name: "opportunity.rules", reads: [.category])),
                .local(Probe(name: "category.rules", writes: [.category])),
            ])
        }
        #expect(error?.all.map(\.code) == ["pipeline.unmet-read"])
        #expect(error?.description.contains("opportunity.rules") == true)
    }

    @Test func `two owners of one field are refused, a refinement is not`() throws {
        let first = Probe(name: "category.rules", writes: [.category])
        #expect(throws: TriageErrors.self) {
            try StagePlan([.local(first), .local(Probe(name: "category.other", writes: [.category]))])
        }
        _ = try StagePlan([
            .local(first), .local(Probe(name: "category.refine", reads: [.category], writes: [.category])),
        ])
    }
}
