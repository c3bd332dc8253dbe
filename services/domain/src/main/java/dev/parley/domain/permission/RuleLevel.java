package dev.parley.domain.permission;

/** How far a rule reaches, the nearest last: what a nearer level says goes before what a farther one says. */
public enum RuleLevel {
    /** Parley's own rules. */
    BUILTIN,
    /** Those of {@code parley.yml}. */
    INSTALLATION,
    /** All projects of a host. */
    HOST,
    /** All sessions of a project. */
    PROJECT,
    /** All turns of an agent. */
    AGENT,
    /** One session. */
    SESSION
}
