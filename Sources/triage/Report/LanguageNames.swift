/// Names of languages in English, which is the language of the page.
enum LanguageNames {
    /// A tag that has no name here is its own; it is text that is still to be escaped.
    static func name(of tag: String) -> String { names[tag] ?? tag }

    private static let names = [
        "und": "unknown", "en": "English", "es": "Spanish", "pt": "Portuguese", "fr": "French", "de": "German",
        "it": "Italian", "nl": "Dutch", "tr": "Turkish", "id": "Indonesian", "hi-Latn": "Hindi (Latin)",
        "pl": "Polish", "ro": "Romanian", "sv": "Swedish", "da": "Danish", "no": "Norwegian", "fi": "Finnish",
        "cs": "Czech", "hu": "Hungarian", "vi": "Vietnamese", "tl": "Tagalog", "sw": "Swahili", "ru": "Russian",
        "uk": "Ukrainian", "bg": "Bulgarian", "sr": "Serbian", "el": "Greek", "ar": "Arabic", "fa": "Persian",
        "ur": "Urdu", "he": "Hebrew", "hi": "Hindi", "bn": "Bengali", "ta": "Tamil", "th": "Thai", "ja": "Japanese",
        "zh": "Chinese", "ko": "Korean", "ms": "Malay", "ca": "Catalan",
    ]
}
