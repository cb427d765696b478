import Testing
import TriageCore

struct TextFolderTests {
    @Test(arguments: [
        ("Hello  WORLD", "hello world"),
        ("Olá, você!", "ola, voce!"),
        ("Straße œuvre", "strasse oeuvre"),
        ("ＦＲＥＥ 𝐌𝐨𝐧𝐞𝐲", "free money"),
        ("w\u{200B}i\u{200D}n", "win"),
        ("so goooood", "so good"),
        ("it’s “fine” – ok", "it's \"fine\" - ok"),
        ("a\r\n\r\nb", "a b"),
        ("٣٠ ألف", "30 الف"),
        ("cafe\u{301}", "cafe"),
        ("", ""),
    ])
    func `folds case, marks, widths, hidden characters and blanks`(text: String, expected: String) {
        #expect(String(decoding: TextFolder().fold(text), as: UTF8.self) == expected)
    }
}
