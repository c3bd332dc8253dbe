package dev.parley.server.apply;

import java.util.Locale;

/** Kinds of definitions, in the order in which they are applied. */
enum Kind {
    ENDPOINT,
    TOOL,
    SKILL,
    AGENT,
    WORKFLOW;

    /** The folder of its files, and the end of its path in the API. */
    String folder() {
        return name().toLowerCase(Locale.ROOT) + "s";
    }

    /** One of them, with its article. */
    String one() {
        return (this == AGENT || this == ENDPOINT ? "an " : "a ") + name().toLowerCase(Locale.ROOT);
    }

    /** Whether a version never changes, and its text is all of it. */
    boolean isText() {
        return this == WORKFLOW;
    }

    /** How people are told of one. */
    String label(String name) {
        return this == AGENT ? name : name().toLowerCase(Locale.ROOT) + " " + name;
    }

    /** Whether versions of one stand side by side. */
    boolean hasVersions() {
        return this == TOOL || this == SKILL;
    }
}
