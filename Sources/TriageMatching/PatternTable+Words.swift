internal import TriageCore

extension PatternTable {
    /// Finds the words and phrases of texts, with the tables of a ``PatternTable`` borrowed for a batch.
    struct WordFinder {
        fileprivate let index: WordIndex.Tables
        fileprivate let starts: UnsafeBufferPointer<UInt32>
        fileprivate let signals: UnsafeBufferPointer<UInt16>

        /// Adds the hits of one text, about as many as the limit of a text at most.
        ///
        /// - Parameter tokens: the text's words.
        @inline(never)
        func find(
            in text: UnsafeBufferPointer<UInt8>, _ tokens: UnsafeBufferPointer<Token>, into hits: inout HitBuffer
        ) {
            index.scan(text, tokens) { pattern, start, end in
                guard hits.count < Int(PatternScanStage.limitPerText) else { return }
                var s = Int(starts[pattern])
                let last = Int(starts[pattern &+ 1])
                while s < last {
                    hits.append(
                        SignalHit(
                            signal: signals[s], start: UInt32(truncatingIfNeeded: start),
                            end: UInt32(truncatingIfNeeded: end)))
                    s &+= 1
                }
            }
        }
    }

    /// Gives `body` a finder, which must not outlive the call.
    func withWords(_ body: (WordFinder) -> Void) {
        words.withTables { index in
            wordOwners.starts.withUnsafeBufferPointer { starts in
                wordOwners.signals.withUnsafeBufferPointer { signals in
                    body(WordFinder(index: index, starts: starts, signals: signals))
                }
            }
        }
    }
}
