/// A text without identifying data, and the way to restore it.
package struct Redaction: Sendable, Equatable {
    /// The text with `[email 1]`, `[phone 2]` and so on in place of the data.
    package var text: String
    /// What each placeholder stands for, one to one.
    ///
    /// It stays on the machine.
    package var originals: [Pair]

    package struct Pair: Sendable, Equatable {
        package var placeholder: String
        package var original: String
    }

    /// A text with all placeholders replaced: the redacted text becomes the original, a draft becomes ready to send.
    package func restored(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let pairs = originals.map { (Array($0.placeholder.unicodeScalars), $0.original) }
        var out = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            if scalars[index] == "[",
                let pair = pairs.first(where: { scalars[index...].starts(with: $0.0) })
            {
                out.append(contentsOf: pair.1.unicodeScalars)
                index += pair.0.count
            } else {
                out.append(scalars[index])
                index += 1
            }
        }
        return String(out)
    }
}

/// Removes e-mail addresses, phone, card and account numbers, handles and long numbers from a text.
///
/// Names and streets stay: no list of them is complete, and partial removal would promise too much.
package struct Redactor: Sendable {
    package init() {}

    /// The redacted text; ``Redaction/restored(_:)`` turns it back into the original, whatever that contains.
    package func redacted(_ text: String) -> Redaction {
        let scalars = Array(text.unicodeScalars)
        var redaction = Redaction(text: "", originals: [])
        var known: [String: String] = [:]
        var counts: [PersonalData.Kind: Int] = [:]
        var out = String.UnicodeScalarView()
        var index = 0
        for find in PersonalData.finds(in: scalars) {
            out.append(contentsOf: scalars[index..<find.range.lowerBound])
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[find.range])
            // Scalars, not characters: "e" with a combining mark differs from "é", and is restored as it was.
            let key = String(view.map { "\($0.value)" }.joined(separator: " "))
            if known[key] == nil {
                var placeholder = ""
                // A placeholder in the sender's text is never used as one of ours.
                repeat {
                    counts[find.kind, default: 0] += 1
                    placeholder = "[\(find.kind.rawValue) \(counts[find.kind] ?? 0)]"
                } while Text.contains(scalars, Array(placeholder.unicodeScalars))
                known[key] = placeholder
                redaction.originals.append(.init(placeholder: placeholder, original: String(view)))
            }
            out.append(contentsOf: (known[key] ?? "").unicodeScalars)
            index = find.range.upperBound
        }
        out.append(contentsOf: scalars[index...])
        redaction.text = String(out)
        return redaction
    }
}
