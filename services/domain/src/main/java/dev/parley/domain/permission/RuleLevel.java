package dev.parley.domain.permission;

/** The level of a rule, nearest last: nearer levels override farther ones. */
public enum RuleLevel {
    /** Built-in rules. */
    BUILTIN,
    /** Rules in {@code parley.yml}. */
    INSTALLATION,
    /** All projects of a host. */
    HOST,
    /** All sessions of a project. */
    PROJECT,
    /** All turns of an agent. */
    AGENT,
    SESSION
}
