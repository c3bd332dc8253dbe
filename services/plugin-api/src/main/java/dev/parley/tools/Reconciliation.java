package dev.parley.tools;

/** What a tool says about a call that nobody saw the end of. */
public sealed interface Reconciliation {

    /** It happened, with this result. */
    record Happened(ToolOutput output) implements Reconciliation {}

    /** It did not happen, and will not any more: it may be run. */
    record DidNotHappen() implements Reconciliation {}

    /** Nobody knows. */
    record Unknown() implements Reconciliation {}
}
