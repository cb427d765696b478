/// Detectors implemented in code; a rule refers to one with `detector:`, so the names are part of the rule-file schema.
///
/// A detector only says whether something is present. The rule decides which question that affects, and by how much.
package enum DetectorName: String, Sendable, CaseIterable {
    // The form of the text.
    case shapeQuestion = "shape.question"
    case shapeShort = "shape.short"
    case shapeLong = "shape.long"
    case shapeCaps = "shape.caps"
    case shapeExclamations = "shape.exclamations"
    case shapeEmojiMany = "shape.emoji-many"
    case shapeEmojiOnly = "shape.emoji-only"
    case shapeHidden = "shape.hidden"
    case shapeMixedScript = "shape.mixed-script"
    case shapeFancyLetters = "shape.fancy-letters"
    case shapeParagraphs = "shape.paragraphs"
    case shapeSignature = "shape.signature"
    case shapeMention = "shape.mention"
    case shapeLongNumber = "shape.long-number"
    case shapeLowercaseStart = "shape.lowercase-start"
    case shapeFirstPerson = "shape.first-person"

    // Links, and ways to move to another messenger.
    case linkAny = "link.any"
    case linkShort = "link.short"
    case linkIP = "link.ip"
    case linkPunycode = "link.punycode"
    case linkLookalike = "link.lookalike"
    case linkMessenger = "link.messenger"
    case linkOnly = "link.only"
    case linkPathVerb = "link.path-verb"

    // Addresses, in the text or as the sender's handle.
    case emailFree = "email.free"
    case emailCompany = "email.company"
    case phoneNumber = "phone.number"

    // Amounts.
    case moneyAmount = "money.amount"
    case moneyLarge = "money.large"
    case moneyPercent = "money.percent"

    // The sender, as far as the record describes them.
    case senderVerified = "sender.verified"
    case senderFollowers10k = "sender.followers-10k"
    case senderFollowersLow = "sender.followers-low"
    case senderFollowersMid = "sender.followers-mid"
    case senderEmail = "sender.email"
    case senderHandleDigits = "sender.handle-digits"
    case senderHandleOfficial = "sender.handle-official"
    case senderHandleBrand = "sender.handle-brand"
    case senderNoReply = "sender.no-reply"
    case senderImpersonates = "sender.impersonates"

    // The text compared with the creator's profile.
    case creatorNamesWork = "creator.names-work"
    case creatorName = "creator.name"
    case creatorNiche = "creator.niche"
    case creatorExcluded = "creator.excluded"

    // When an answer or a delivery is due.
    case deadlineWithin48h = "deadline.48h"
    case deadlineWeek = "deadline.week"
    case deadlineAny = "deadline.any"
    case dateAny = "date.any"

    // How earlier messages of the conversation were classified; known only in a second, ordered pass.
    case threadBusiness = "thread.business"
    case threadFan = "thread.fan"
    case threadSpam = "thread.spam"

    // What other senders wrote; known only in that pass, and only for texts that show some sign of spam.
    case campaignManySenders = "campaign.many-senders"
}
