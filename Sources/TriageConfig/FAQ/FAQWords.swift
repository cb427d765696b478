internal import TriageCore

/// The words of a question that tell it from other questions.
enum FAQWords {
    private static let folder = TextFolder()

    /// Words that questions of any subject share; folded, in the languages that are answered.
    private static let common: Set<[UInt8]> = Set(
        """
        a an the do does did is are was were be been can could will would should have has i you he she it we they your
        my me our their this that these those of to in on at for from with by and or if so what which who how when
        where why any some there please tell know want get got im ive youre just really
        el la los las un una de del que en y o por para con como cual cuales donde cuando cuanto es son tu tus usted su
        se me mi puedo puedes hay al lo
        o os as um uma do da dos das em no na e ou qual quais onde quando quanto voce seu sua voces eu posso pode tem
        le les une des du au aux et ou est sont tu vous ton ta tes votre vos je mon ma quel quelle quels quelles comment
        quand combien puis peux peut avez as ce cette
        der die das ein eine einen und oder ist sind du dein deine deinen ich mein meine wie was wo wann welche welcher
        welches warum kann kannst hast hat es im am zu mit fur von
        """.split { $0 == " " || $0 == "\n" }.map { Array($0.utf8) })

    /// The words of a text, folded.
    static func all(_ text: String) -> [[UInt8]] { folder.words(text) }

    /// The telling words of a text, folded, each once, in their order; every word if none is telling.
    static func content(_ text: String) -> [[UInt8]] {
        let words = all(text)
        var seen: Set<[UInt8]> = []
        let telling = words.filter { !common.contains($0) && seen.insert($0).inserted }
        return telling.isEmpty ? words : telling
    }
}
