import Testing

@testable import TriageCore

struct StatisticalModelTests {
    private static let sample: StatisticalModel = {
        var model = StatisticalModel(bits: 12)
        for bucket in model.rows.indices {
            for lane in 0..<8 { model.rows[bucket][lane] = Int8(truncatingIfNeeded: bucket &* 31 &+ lane &* 7) }
        }
        for lane in 0..<8 {
            model.scale[lane] = 0.25 / Float(lane + 1)
            model.bias[lane] = Float(lane) - 3
            model.rules[lane][lane] = 0.5
        }
        model.signals = ["money.offer": SIMD8(repeating: 1.5), "spam.link": SIMD8(repeating: -2)]
        model.facts[ModelFact.question.rawValue] = SIMD8(repeating: 0.125)
        model.urgentThreshold = 0.375
        model.injectionThreshold = 0.625
        model.notes = [StatisticalModel.TrainingNote("records", "3"), .init("weight", "½")]
        return model
    }()

    private static func read(_ bytes: [UInt8]) throws(TriageError) -> StatisticalModel {
        var result: Result<StatisticalModel, TriageError>?
        bytes.withUnsafeBytes { bytes in
            do throws(TriageError) {
                result = .success(try StatisticalModel(decoding: bytes, at: "some.model"))
            } catch {
                result = .failure(error)
            }
        }
        guard let result else { throw TriageError("test", "nothing was read") }
        return try result.get()
    }

    @Test func `what is written is read again, and says the same bytes`() throws {
        let bytes = Self.sample.encoded()
        let model = try Self.read(bytes)
        #expect(model.rows == Self.sample.rows)
        #expect(model.scale == Self.sample.scale)
        #expect(model.bias == Self.sample.bias)
        #expect(model.signals == Self.sample.signals)
        #expect(model.facts == Self.sample.facts)
        #expect(model.rules == Self.sample.rules)
        #expect(model.urgentThreshold == 0.375)
        #expect(model.injectionThreshold == 0.625)
        #expect(model.notes == Self.sample.notes)
        #expect(model.digest.count == 12)
        #expect(model.encoded() == bytes)
    }

    @Test func `a file that is cut anywhere is no model, and says so`() throws {
        let bytes = Self.sample.encoded()
        for count in Array(0..<400) + Array(stride(from: 400, to: bytes.count, by: 997)) + [bytes.count - 1] {
            let error = #expect(throws: TriageError.self) { try Self.read(Array(bytes.prefix(count))) }
            #expect(["model.not-a-model", "model.damaged", "model.other-version"].contains(error?.code), "\(count)")
            #expect(error?.at == "some.model")
        }
    }

    @Test func `one bit that flipped is noticed`() throws {
        let bytes = Self.sample.encoded()
        for place in stride(from: 0, to: bytes.count, by: 501) {
            var damaged = bytes
            damaged[place] ^= 0x10
            #expect(throws: TriageError.self, "\(place)") { try Self.read(damaged) }
        }
    }

    @Test func `a file of a later format asks for training, not for copying`() throws {
        var bytes = Self.sample.encoded()
        bytes[8] = 9
        let error = #expect(throws: TriageError.self) { try Self.read(bytes) }
        #expect(error?.code == "model.other-version")
    }
}
