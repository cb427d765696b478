import TriageCore
package import TriageEvaluation

/// Writes changed copies of gold records, for training.
package struct CopyWriter {
    package let list: ChangeList
    /// The maximum number of copies of each record.
    package let copies: Int

    package init(list: ChangeList, copies: Int) {
        self.list = list
        self.copies = copies
    }

    /// What was written.
    package struct Outcome {
        package var records = 0
        package var copies = 0
        /// Records without a copy, because no change applies to them.
        package var uncopied = 0
    }

    /// - Parameter output: a path, whose file appears complete, or `-`.
    /// - Throws: ``TriageError`` for faults of the gold records or the output; `evaluate.nothing-changed` (exit 65)
    ///   when no change applies to any record, and then no file is created.
    package func write(_ gold: GoldLines, to output: String) throws -> Outcome {
        guard output != "-" else { return try write(gold, to: .standardOutput) }
        let file = try OutputFile(path: output)
        do {
            let outcome = try write(gold, to: file.writer)
            try file.commit()
            return outcome
        } catch {
            file.discard()
            throw error
        }
    }

    private func write(_ gold: GoldLines, to writer: CheckedWriter) throws -> Outcome {
        var outcome = Outcome()
        var held: [UInt8] = []
        outcome.records = try gold.forEach { record in
            let editor = ChangedRecord(record.line, textKey: record.textKey ?? "text")
            let made = ChangedCopies.of(record.subject, by: list, count: copies)
            for copy in made {
                let line = editor.copy(id: copy.id, text: copy.text, changes: copy.changes)
                // A record may span several lines; a line break in it is never inside a string, so a blank can replace
                // it.
                held += line.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
                held.append(0x0A)
            }
            outcome.copies += made.count
            if made.isEmpty { outcome.uncopied += 1 }
            if held.count >= 1 << 20 {
                try writer.write(held)
                held.removeAll(keepingCapacity: true)
            }
        }
        guard outcome.copies > 0 else {
            throw TriageError(
                "evaluate.nothing-changed", "no change that keeps all labels applies to any record",
                remedy: "label the records, or widen 'only' in the changes", exit: .badData)
        }
        try writer.write(held)
        return outcome
    }
}
