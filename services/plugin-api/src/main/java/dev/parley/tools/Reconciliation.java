package dev.parley.tools;

/** A tool's answer about a call whose result was lost. */
public sealed interface Reconciliation {

    /** The call took effect, with this result. */
    record Happened(ToolOutput output) implements Reconciliation {}

    /** The call did not take effect and never will: it can be retried. */
    record DidNotHappen() implements Reconciliation {}

    /** It is unknown whether the call took effect. */
    record Unknown() implements Reconciliation {}
}
