"""Figures, and the policies they rest on."""

from canon.refusal import Refusal


class FigureUnknown(Refusal):
    """No figure has that path."""

    code = "E_FIGURE_UNKNOWN"
    remedy = "copy the path from what `coldledger explain` lists"


class ReleaseUnknown(Refusal):
    """No source that was imported reports a release of that name."""

    code = "E_RELEASE_UNKNOWN"
    remedy = "import the release first, or give the name that its source states"


class PolicySource(Refusal):
    """The text of a policy cannot be found, is not TOML, or has another name than its file."""

    code = "E_POLICY_SOURCE"
    remedy = "correct the TOML file; those in specs/policies are examples"


class PolicyShape(Refusal):
    """A document is not a policy, or its rules are not of the shape that its family has."""

    code = "E_POLICY_SHAPE"
    remedy = "write the policy as specs/policies.md says"


class PolicyUnknown(Refusal):
    """A policy is of a family that this version knows no rules for."""

    code = "E_POLICY_UNKNOWN"
    remedy = "use a version of coldledger that knows the family"


class PolicyRule(Refusal):
    """The rules of a policy contradict each other."""

    code = "E_POLICY_RULE"
    remedy = "decide which of the two rules is meant"


class PolicyKind(Refusal):
    """A policy was given where one of another family is needed."""

    code = "E_POLICY_KIND"
    remedy = "give a policy of the family that the message names"
