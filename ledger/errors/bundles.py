"""Bundles: what verifying refuses, and signing one again."""

from canon.refusal import Refusal


class DocumentMismatch(Refusal):
    """A document is missing, has another digest, or is one too many."""

    code = "E_DOCUMENT"
    remedy = "ask for the bundle as it was exported: documents can never be withheld"


class TrustUnpinned(Refusal):
    """No trust root was given, or it does not have the digest that was given."""

    code = "E_TRUST_SOURCE"
    remedy = "get the trust root from its publisher by another way than the bundle"


class ManifestState(Refusal):
    """A list or policy in the manifest is not what the events give."""

    code = "E_MANIFEST_STATE"
    remedy = "refuse the edition: its publisher signed a manifest that its events contradict"


class ManifestMismatch(Refusal):
    """The manifest is not the one that the freeze at its end names."""

    code = "E_MANIFEST"
    remedy = "ask for the bundle as it was exported"


class FigureMismatch(Refusal):
    """A published figure is not what the events give."""

    code = "E_FIGURE"
    remedy = "refuse the edition: its publisher signed a figure that its events do not give"


class FiguresDigest(Refusal):
    """The digest of the figures is not that of the figures beside it."""

    code = "E_FIGURES_DIGEST"
    remedy = "refuse the edition: its manifest contradicts itself"


class RootMismatch(Refusal):
    """The tree over the entries has another root or size than the checkpoint says."""

    code = "E_ROOT"
    remedy = "ask for the bundle as it was exported: entries were changed at its end"


class CommitmentMismatch(Refusal):
    """Disclosed bytes are not those that the entry committed to."""

    code = "E_COMMITMENT"
    remedy = "ask for the bytes as they were recorded, or for a bundle that withholds them"


class ExtractionMismatch(Refusal):
    """An entry's fields are not what its importer reads from the disclosed record."""

    code = "E_EXTRACT"
    remedy = "refuse the edition: an entry says something else than its source"


class ImporterUnknown(Refusal):
    """An entry names an importer, or a version of one, that this program does not have."""

    code = "E_IMPORTER"
    remedy = "verify with a version of coldledger that has the importer"


class DisclosureUnexpected(Refusal):
    """A disclosure stands where no commitment is, or out of order."""

    code = "E_DISCLOSURE"
    remedy = "ask for the bundle as it was exported"


class PolicyUnmet(Refusal):
    """A condition of the verifier's own policy does not hold."""

    code = "E_CONDITION"
    remedy = "ask the publisher for what the policy demands, or change the policy"


class ConditionsMalformed(Refusal):
    """A file of conditions is not of the shape they have, or has no rules."""

    code = "E_CONDITIONS"
    remedy = "write `id`, `version` and at least one rule; specs/verify.md has an example"


class SignedAlready(Refusal):
    """The key has signed the edition in that role."""

    code = "E_SIGNED"
    remedy = "nothing is missing; one signature by a key and role is all that counts"
