import Testing
import TriageCore

struct SHA256Tests {
    /// Vectors of FIPS 180-4 and NIST's examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func `gives the published digests`(text: String, digest: String) {
        #expect(SHA256.hex(text.utf8) == digest)
    }

    @Test func `gives the published digest of a million letters`() {
        var hash = SHA256()
        for _ in 0..<1000 { hash.update([UInt8](repeating: UInt8(ascii: "a"), count: 1000)) }
        #expect(hash.hex() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(arguments: [1, 55, 56, 63, 64, 65, 127, 128, 200])
    func `does not depend on how the bytes are cut`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var hash = SHA256()
        for byte in bytes { hash.update([byte]) }
        #expect(hash.hex() == SHA256.hex(bytes))
    }
}

struct SHA256SnapshotTests {
    @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 127, 128, 1000])
    func `a digest goes on where it was left`(cut: Int) throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        var first = SHA256()
        first.update(Array(bytes[..<cut]))
        var second = try #require(SHA256(snapshot: first.snapshot))
        second.update(Array(bytes[cut...]))
        #expect(second.hex() == SHA256.hex(bytes))
    }

    @Test(arguments: [0, 39, 104, 41])
    func `what is no snapshot is refused`(count: Int) {
        #expect(SHA256(snapshot: [UInt8](repeating: 0, count: count)) == nil)
    }
}
