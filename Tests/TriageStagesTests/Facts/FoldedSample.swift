import TriageCore

@testable import TriageStages

/// A text folded as the pipeline folds it, for finders that read folded texts.
struct FoldedSample {
    private let original: [UInt8]
    private let folded: [UInt8]
    private let tokens: [Token]
    private let base: FoldedText

    init(_ text: String) {
        original = Array(text.utf8)
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        base = original.withUnsafeBufferPointer {
            TextFolder().fold($0, folded: &folded, marks: &marks, tokens: &tokens)
        }
        self.folded = folded
        self.tokens = tokens
    }

    func withText<R>(_ body: (MessageText) -> R) -> R {
        folded.withUnsafeBufferPointer { folded in
            tokens.withUnsafeBufferPointer { tokens in
                withUnsafePointer(to: base.shape) { shape in
                    body(
                        MessageText(
                            bytes: UnsafeBufferPointer(rebasing: folded[base.span.range]), tokens: tokens, shape: shape)
                    )
                }
            }
        }
    }

    /// Calls `body` with every word, as if each were one to look at.
    func withCandidates<R>(_ body: (UnsafeBufferPointer<Int32>) -> R) -> R {
        tokens.indices.map { Int32($0) }.withUnsafeBufferPointer(body)
    }

    func amounts() -> [MoneyFind] {
        Self.table.withIndex { words in
            withText { text in
                var finds: [MoneyFind] = []
                withCandidates { MoneyFinder(text: text, table: words).find(at: $0, into: &finds) }
                return finds
            }
        }
    }

    func deadline(_ frame: DateFrame) -> DeadlineResult {
        Self.table.withIndex { words in
            withText { text in
                withCandidates { DeadlineFinder(text: text, table: words, frame: frame).find(at: $0) }
            }
        }
    }

    func phone() -> Range<Int>? { withText { text in withCandidates { PhoneFinder(text: text).find(at: $0) } } }

    func links() -> LinkFindings { withText { LinkFinder(text: $0).find() } }

    func folded(_ range: Range<Int>) -> String { String(decoding: folded[range], as: UTF8.self) }

    static let table = {
        var table = FactWords.makeTable()
        table.seal()
        return table
    }()
}
