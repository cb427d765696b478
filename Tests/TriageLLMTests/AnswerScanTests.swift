import Testing
import TriageLLM

@Suite struct `Finding a model's answer in its text` {
    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1}"#), ("\n {\"a\" : 1}\n\n", #"{"a" : 1}"#), ("```json\n{\"a\":1}\n```", #"{"a":1}"#),
        ("Sure! Here is \"the\" JSON: {\"a\":1} Hope it's fine.", #"{"a":1}"#),
        ("<think>maybe {\"a\":2} or {x}</think>\n{\"a\":1}", #"{"a":1}"#),
        ("  <think></think>{\"a\":\"<think>\"}", #"{"a":"<think>"}"#),
        (#"{"a":"} {\" \\"}"#, #"{"a":"} {\" \\"}"#), (#"{"a":"```{"}"#, #"{"a":"```{"}"#),
        ("} ] {\"a\":{\"b\":{}}} }", #"{"a":{"b":{}}}"#), (#"x {"a":"</think>{"} y"#, #"{"a":"</think>{"}"#),
    ])
    func `one object is found behind a thought, in a fence and in prose`(text: String, object: String) throws {
        let bytes = Array(text.utf8)
        let range = try StrictJSON.firstObject(in: bytes)
        #expect(String(decoding: bytes[range], as: UTF8.self) == object)
        #expect(try StrictJSON.answer(in: bytes) == StrictJSON.parse(Array(object.utf8)))
    }

    @Test(arguments: [
        ("", JSONFault(.noObject, at: 0)), ("I cannot help with that.", JSONFault(.noObject, at: 24)),
        ("[1,2]", JSONFault(.noObject, at: 5)), ("<think>{\"a\":1}", JSONFault(.noObject, at: 14)),
        (#"{"a":1} {"a":2}"#, JSONFault(.severalObjects, at: 8)),
        (#"I use {x}: {"a":1}"#, JSONFault(.severalObjects, at: 11)),
        (#"{"category":"sp"#, JSONFault(.unexpectedEnd, at: 15)), (#"{"a":"\"#, JSONFault(.unexpectedEnd, at: 7)),
        (#"{"a":{"b":1}"#, JSONFault(.unexpectedEnd, at: 12)), (#"ok: {"a":1,}"#, JSONFault(.unexpectedByte, at: 11)),
        (#"x{"a":1,"a":2}"#, JSONFault(.duplicateKey, at: 8)), ("{a}", JSONFault(.unexpectedByte, at: 1)),
    ])
    func `no object, several, a cut one and a wrong one are faults with their place`(text: String, fault: JSONFault) {
        #expect(throws: fault) { try StrictJSON.answer(in: Array(text.utf8)) }
    }

    @Test
    func `an answer above its size is refused before it is scanned`() {
        let bytes = [UInt8](repeating: 0x20, count: 101)
        #expect(throws: JSONFault(.tooLarge, at: 100)) {
            try StrictJSON.answer(in: bytes, limits: JSONLimits(bytes: 100))
        }
    }

    @Test
    func `text of nothing but openings is scanned in linear time`() {
        let braces = Array(String(repeating: "{", count: 500_000).utf8)
        #expect(throws: JSONFault(.unexpectedEnd, at: 500_000)) { try StrictJSON.firstObject(in: braces) }
        let thoughts = Array(("<think>" + String(repeating: "</thin", count: 80_000)).utf8)
        #expect(throws: JSONFault(.noObject, at: thoughts.count)) { try StrictJSON.firstObject(in: thoughts) }
    }
}
