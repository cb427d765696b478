/// Finds the numbers in a text and which of them are amounts of money, as precisely as a guard needs.
enum Money {
    struct Number: Equatable {
        var value: Double
        /// Whether a currency, `%` or "k" is next to it.
        var isAmount: Bool
    }

    /// Currencies and words for them, in lower case, as found next to a figure.
    private static let units: Set<String> = [
        "usd", "eur", "gbp", "inr", "brl", "jpy", "cad", "aud", "chf", "mxn", "rub", "try", "idr", "pln", "sek", "nok",
        "dkk", "zar", "ngn", "aed", "cny", "krw", "ars", "clp", "cop", "php", "thb", "vnd", "rs", "rp", "tl", "kr",
        "zł",
        "dollar", "dollars", "euro", "euros", "pound", "pounds", "bucks", "quid", "rupees", "reais", "real", "pesos",
        "yen", "yuan", "won", "lira", "rubles", "руб", "рублей", "долларов", "евро", "dólares", "dolares", "libras",
        "livres", "dollaro", "dollari", "grand", "cents", "percent", "prozent", "dolar", "円", "元", "원", "ドル", "ユーロ",
    ]

    private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "%" || scalar.properties.generalCategory == .currencySymbol
    }

    static func isUnit(before start: Int, in scalars: [Unicode.Scalar]) -> Bool {
        var index = start
        while index > 0, start - index < 2, scalars[index - 1].properties.isWhitespace { index -= 1 }
        guard index > 0 else { return false }
        if isSymbol(scalars[index - 1]) { return true }
        var word = String.UnicodeScalarView()
        var begin = index
        while begin > 0, index - begin < 10, scalars[begin - 1].properties.isAlphabetic { begin -= 1 }
        word.append(contentsOf: scalars[begin..<index])
        return units.contains(String(word).lowercased())
    }

    static func isUnit(behind end: Int, in scalars: [Unicode.Scalar]) -> Bool {
        var index = end
        while index < scalars.count, index - end < 2, scalars[index].properties.isWhitespace { index += 1 }
        guard index < scalars.count else { return false }
        if isSymbol(scalars[index]) { return true }
        var word = String.UnicodeScalarView()
        while index < scalars.count, word.count < 10, scalars[index].properties.isAlphabetic {
            word.append(scalars[index])
            index += 1
        }
        return units.contains(String(word).lowercased())
    }

    /// Words for large numbers, in the languages of most drafts.
    private static let spelled: Set<String> = [
        "hundred", "thousand", "million", "grand", "cien", "cientos", "quinientos", "mil", "millones", "cem",
        "quinhentos", "milhões", "cent", "cents", "mille", "hundert", "tausend", "millionen", "fünfhundert", "cento",
        "mila", "тысяч", "тысячи", "миллион", "yüz", "bin", "million",
    ]

    /// Whether the text names an amount of money in words, such as "five hundred dollars".
    static func isSpelled(in text: String) -> Bool {
        let words = words(of: text)
        for (place, word) in words.enumerated() where units.contains(word) && word != "cents" {
            let before = words[max(0, place - 4)..<place]
            if before.contains(where: { spelled.contains($0) || $0.hasSuffix("hundert") || $0.hasSuffix("tausend") }) {
                return true
            }
        }
        return false
    }

    static func words(of text: String) -> [String] {
        text.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic }.map { String($0) }
    }

    /// The numbers of a text, with grouping and decimals; `5k` is 5,000.
    static func numbers(in text: String) -> [Number] {
        let scalars = Array(text.unicodeScalars)
        var numbers: [Number] = []
        var index = 0
        while index < scalars.count {
            guard PersonalData.digit(scalars[index]) >= 0 else {
                index += 1
                continue
            }
            let start = index
            var groups: [[Int8]] = [[]]
            var separators: [Unicode.Scalar] = []
            while index < scalars.count {
                let digit = PersonalData.digit(scalars[index])
                if digit >= 0 {
                    groups[groups.count - 1].append(digit)
                } else if ".,' \u{A0}\u{202F}\u{2019}".unicodeScalars.contains(scalars[index]),
                    index + 1 < scalars.count,
                    PersonalData.digit(scalars[index + 1]) >= 0, isGlue(scalars, at: index)
                {
                    separators.append(scalars[index])
                    groups.append([])
                } else {
                    break
                }
                index += 1
            }
            var value = value(groups, separators)
            var isAmount = isUnit(before: start, in: scalars)
            var end = index
            if end < scalars.count, scalars[end] == "k" || scalars[end] == "K", !isLetter(scalars, end + 1) {
                value *= 1_000
                isAmount = true
                end += 1
            }
            isAmount = isAmount || isUnit(behind: end, in: scalars)
            numbers.append(Number(value: value, isAmount: isAmount))
        }
        return numbers
    }

    private static func isLetter(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        index < scalars.count && scalars[index].properties.isAlphabetic
    }

    /// A blank joins digits only before exactly three more.
    private static func isGlue(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        guard scalars[index].properties.isWhitespace else { return true }
        var end = index + 1
        while end < scalars.count, PersonalData.digit(scalars[end]) >= 0 { end += 1 }
        return end - index == 4
    }

    /// The last separator is a decimal point unless three digits follow it.
    private static func value(_ groups: [[Int8]], _ separators: [Unicode.Scalar]) -> Double {
        let isDecimal = separators.last.map { $0 == "." || $0 == "," } == true && groups[groups.count - 1].count != 3
        var value = 0.0
        for group in isDecimal ? groups.dropLast() : groups[...] {
            for digit in group { value = value * 10 + Double(digit) }
        }
        var scale = 0.1
        for digit in isDecimal ? groups[groups.count - 1] : [] {
            value += Double(digit) * scale
            scale /= 10
        }
        return value
    }
}
