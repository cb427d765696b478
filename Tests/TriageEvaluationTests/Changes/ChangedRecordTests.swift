import Testing

@testable import TriageEvaluation

/// Records with another text, every other byte as it was; and copies that stay with their originals.
struct ChangedRecordTests {
    private func copy(_ line: String, key: String = "text") -> String {
        Array(line.utf8).withUnsafeBufferPointer { bytes in
            String(
                decoding: ChangedRecord(bytes, textKey: key).copy(id: "n\"1", text: "a\nb", changes: ["x", "y"]),
                as: UTF8.self)
        }
    }

    @Test(arguments: [
        (#"{"id":"a","text":"t","n":1.0}"#, #"{"id":"n\"1","text":"a\nb","n":1.0,"meta":{"changed":["x","y"]}}"#),
        (
            #"{ "meta" : {} , "text":"t" , "id" : 7 }"#,
            #"{ "meta" : {"changed":["x","y"]} , "text":"a\nb" , "id" : "n\"1" }"#
        ),
        (
            #"{"text":"t","meta":{"b":[{"id":"z"}]},"id":"a"}"#,
            #"{"text":"a\nb","meta":{"b":[{"id":"z"}],"changed":["x","y"]},"id":"n\"1"}"#
        ),
        (
            #"{"id":"a","meta":{"changed":["old"],"k":2},"text":"t"}"#,
            #"{"id":"n\"1","meta":{"changed":["x","y"],"k":2},"text":"a\nb"}"#
        ),
        (#"{"id":"a","text":"t","meta":null}"#, #"{"id":"n\"1","text":"a\nb","meta":{"changed":["x","y"]}}"#),
        (
            #"{"\u0069d":"a","te\u0078t":"t","sender":{"text":"s","id":"i"}}"#,
            #"{"\u0069d":"n\"1","te\u0078t":"a\nb","sender":{"text":"s","id":"i"},"meta":{"changed":["x","y"]}}"#
        ),
        (
            #"{"text":"1","id":"a","text":"2"}"#,
            #"{"text":"a\nb","id":"n\"1","text":"a\nb","meta":{"changed":["x","y"]}}"#
        ),
    ])
    func `a copy has another id and text and names its changes, and all else is as it was`(
        line: String, changed: String
    ) {
        #expect(copy(line) == changed)
    }

    @Test func `the text may be in another member`() {
        #expect(
            copy(#"{"id":"a","body":"t","text":5}"#, key: "body")
                == #"{"id":"n\"1","body":"a\nb","text":5,"meta":{"changed":["x","y"]}}"#)
    }

    @Test(arguments: [
        (String?.some("new"), #"{"conversation_id":null,"text":"new","reply_to":"q"}"#),
        (nil, #"{"conversation_id":null,"text":"old","reply_to":"q"}"#),
    ])
    func `a record by itself belongs to no conversation`(text: String?, changed: String) {
        let line = Array(#"{"conversation_id":"c","text":"old","reply_to":"q"}"#.utf8)
        line.withUnsafeBufferPointer { bytes in
            #expect(
                String(decoding: ChangedRecord(bytes, textKey: "text").alone(text: text), as: UTF8.self) == changed)
        }
    }

    /// Records, and which of them are one cluster.
    @Test(
        arguments: [
            ([#"{"id":"a"}"#, #"{"id":"a+x","meta":{"changed":["x"]}}"#, #"{"id":"b"}"#], [0, 0, 1]),
            ([#"{"id":"a+x","meta":{"changed":["x"]}}"#, #"{"id":"b"}"#, #"{"id":"a"}"#], [0, 1, 0]),
            (
                [
                    #"{"id":"a+x","meta":{"changed":["x"]}}"#, #"{"id":"a+y+z","meta":{"changed":["y","z"]}}"#,
                    #"{"id":"a+z"}"#,
                ],
                [0, 0, 1]
            ),
            (
                [
                    #"{"id":"a","conversation_id":"c"}"#, #"{"id":"q","conversation_id":"c"}"#,
                    #"{"id":"a+x","conversation_id":"c","meta":{"changed":["x"]}}"#, #"{"id":"b"}"#,
                ], [0, 0, 0, 1]
            ),
            // The names of no change: an id with a sign of its own.
            ([#"{"id":"a"}"#, #"{"id":"a+x","meta":{"changed":[]}}"#], [0, 1]),
        ] as [([String], [UInt32])])
    func `a copy and its original are drawn together, in whatever order they come`(
        lines: [String], clusters: [UInt32]
    ) throws {
        let set = try ExpectedNumbers.set(gold: lines.map { Array($0.utf8) }, runs: [])
        #expect(set.golds.map(\.cluster) == clusters)
        #expect(set.clusterCount == Set(clusters).count)
    }
}
