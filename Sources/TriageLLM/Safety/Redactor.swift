/// A text without what identifies people, and the way back.
package struct Redaction: Sendable, Equatable {
    /// With `[email 1]`, `[phone 2]` and so on in place of what was there.
    package var text: String
    /// What each placeholder stands for, one to one.
    ///
    /// Stays on the machine.
    package var originals: [Pair]

    package struct Pair: Sendable, Equatable {
        package var placeholder: String
        package var original: String
    }

    /// The text with everything put back: of the redacted text the original, of a draft the draft that can be sent.
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

/// Takes e-mail addresses, phone, card and account numbers, handles and long numbers out of a text.
///
/// Names and streets stay: no list of them is complete, and half a promise is worse than none.
package struct Redactor: Sendable {
    package init() {}

    /// The text without them; ``Redaction/restored(_:)`` of it gives the text back, whatever the text holds.
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
            // Scalars, not characters: "e" and a mark are not "é", and come back as they were.
            let key = String(view.map { "\($0.value)" }.joined(separator: " "))
            if known[key] == nil {
                var placeholder = ""
                // A placeholder that the sender wrote is never one of ours.
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
