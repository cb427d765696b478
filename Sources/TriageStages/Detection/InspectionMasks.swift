internal import TriageCore

/// Bits of the detectors that ``Inspection`` raises; shared, not copied for every message.
final class InspectionMasks: Sendable {
    let firstPerson = DetectorBits.mask(.shapeFirstPerson)
    let linkAny = DetectorBits.mask(.linkAny)
    let linkShort = DetectorBits.mask(.linkShort)
    let linkIP = DetectorBits.mask(.linkIP)
    let linkPunycode = DetectorBits.mask(.linkPunycode)
    let linkLookalike = DetectorBits.mask(.linkLookalike)
    let linkMessenger = DetectorBits.mask(.linkMessenger)
    let linkOnly = DetectorBits.mask(.linkOnly)
    let linkPathVerb = DetectorBits.mask(.linkPathVerb)
    let emailFree = DetectorBits.mask(.emailFree)
    let emailCompany = DetectorBits.mask(.emailCompany)
    let senderEmail = DetectorBits.mask(.senderEmail)
    let phone = DetectorBits.mask(.phoneNumber)
    let money = DetectorBits.mask(.moneyAmount)
    let moneyLarge = DetectorBits.mask(.moneyLarge)
    let percent = DetectorBits.mask(.moneyPercent)
    let work = DetectorBits.mask(.creatorNamesWork)
    let creatorName = DetectorBits.mask(.creatorName)
    let niche = DetectorBits.mask(.creatorNiche)
    let excluded = DetectorBits.mask(.creatorExcluded)
    let within48h = DetectorBits.mask(.deadlineWithin48h)
    let week = DetectorBits.mask(.deadlineWeek)
    let deadline = DetectorBits.mask(.deadlineAny)
    let date = DetectorBits.mask(.dateAny)
}
