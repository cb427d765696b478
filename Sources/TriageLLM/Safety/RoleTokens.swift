/// Breaks up text that a server might treat as the end of the sender's turn.
///
/// Servers of local models turn `<|im_end|>` inside a message into the control token of that name, which closes the
/// turn (measured on llama.cpp: the token count rises by 1, not by 10; with a blank inside, it stays text). The names
/// differ by model, so this breaks token forms instead of a list of names: it inserts a blank after the first
/// character.
enum RoleTokens {
    /// The scalars with every such token broken, and the number of tokens.
    static func broken(_ scalars: [Unicode.Scalar]) -> (scalars: [Unicode.Scalar], count: Int) {
        var out: [Unicode.Scalar] = []
        out.reserveCapacity(scalars.count + 8)
        var count = 0
        var isLineStart = true
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if isLineStart, scalar != " ", scalar != "\t" {
                isLineStart = false
                if let end = heading(scalars, from: index) {
                    for _ in index..<end { out += ["#", " "] }
                    if end < scalars.count, scalars[end] != " " { out.append(" ") }
                    count += 1
                    index = end
                    continue
                }
                if let end = speaker(scalars, from: index) {
                    out += scalars[index..<end]
                    out.append(" ")
                    count += 1
                    index = end
                    continue
                }
            }
            out.append(scalar)
            if scalar == "\n" { isLineStart = true }
            if breaks(scalars, at: index) {
                out.append(" ")
                count += 1
            }
            index += 1
        }
        return (out, count)
    }

    private static func breaks(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        let next = index + 1 < scalars.count ? scalars[index + 1] : " "
        switch scalars[index] {
        case "<": return isBar(next) || isTag(scalars, from: index + 1)
        case "|", "\u{FF5C}": return next == ">" || next == "]"
        case "[": return isBar(next) || isBracketName(scalars, from: index + 1)
        // MiniMax marks its turns with "]~b]" and "[e~[".
        case "]": return next == "~"
        case "~": return next == "["
        default: return false
        }
    }

    private static func isBar(_ scalar: Unicode.Scalar) -> Bool { scalar == "|" || scalar == "\u{FF5C}" }

    /// `<s>`, `</think>`, `<start_of_turn>`, `<0x0A>`: a bare name in angle brackets.
    private static func isTag(_ scalars: [Unicode.Scalar], from start: Int) -> Bool {
        var index = start
        if index < scalars.count, scalars[index] == "/" { index += 1 }
        guard index < scalars.count, Text.isASCIIWord(scalars[index]) else { return false }
        let end = min(scalars.count, index + 48)
        while index < end {
            let scalar = scalars[index]
            if scalar == ">" { return true }
            guard Text.isASCIIWord(scalar) || ":.-\u{2581}".unicodeScalars.contains(scalar) else { return false }
            index += 1
        }
        return false
    }

    /// Names that chat templates put into square brackets, in lower case; a longer name may continue in any way.
    private static let bracketNames = [
        "inst", "system_prompt", "available_tools", "tool_calls", "tool_results", "tool_content", "call_id", "args",
        "img", "img_break", "img_end", "gmask", "smask", "mask", "cls", "sep", "pad", "unk", "bos", "eos", "eot",
        "think", "prefix", "suffix", "middle", "model_settings",
    ]

    private static func isBracketName(_ scalars: [Unicode.Scalar], from start: Int) -> Bool {
        var index = start
        if index < scalars.count, scalars[index] == "/" { index += 1 }
        var name = ""
        while index < scalars.count, Text.isASCIIWord(scalars[index]), name.utf8.count < 32 {
            name.unicodeScalars.append(scalars[index])
            index += 1
        }
        guard index < scalars.count, scalars[index] == "]" else { return false }
        name = name.lowercased()
        return bracketNames.contains(name) || name.hasPrefix("unused") || name.hasPrefix("control_")
    }

    private static let roles: Set<String> = ["system", "assistant", "human", "user", "developer", "model"]
    private static let headings: Set<String> = [
        "instruction", "instructions", "response", "input", "output", "prompt", "ai", "bot",
    ]

    /// The end of the `#` characters in "### System", at the beginning of a line.
    private static func heading(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
        var end = start
        while end < scalars.count, scalars[end] == "#" { end += 1 }
        guard end > start, end - start <= 6 else { return nil }
        let (word, _) = word(scalars, from: end < scalars.count && scalars[end] == " " ? end + 1 : end)
        return roles.contains(word) || headings.contains(word) ? end : nil
    }

    /// The end of the word in "System:", at the beginning of a line.
    private static func speaker(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
        let (word, end) = word(scalars, from: start)
        guard roles.contains(word), end < scalars.count, scalars[end] == ":" || scalars[end] == "\u{FF1A}" else {
            return nil
        }
        return end
    }

    private static func word(_ scalars: [Unicode.Scalar], from start: Int) -> (String, Int) {
        var end = start
        var word = ""
        while end < scalars.count, Text.isASCIILetter(scalars[end]), end - start < 16 {
            word.unicodeScalars.append(scalars[end])
            end += 1
        }
        return (word.lowercased(), end)
    }
}
