package dev.parley.server.apply;

import java.util.Locale;

/** Kinds of definitions, in the order in which they are applied. */
enum DefinitionKind {
    ENDPOINT,
    TOOL,
    SKILL,
    AGENT,
    WORKFLOW;

    /** The folder of its files, and the end of its path in the API. */
    String folder() {
        return name().toLowerCase(Locale.ROOT) + "s";
    }

    /** The kind in the singular, with its article. */
    String withArticle() {
        return (this == AGENT || this == ENDPOINT ? "an " : "a ") + name().toLowerCase(Locale.ROOT);
    }

    /** Whether published versions never change. */
    boolean isImmutable() {
        return this == WORKFLOW;
    }

    /** The name for display. */
    String label(String name) {
        return this == AGENT ? name : name().toLowerCase(Locale.ROOT) + " " + name;
    }

    /** Whether a definition can have several versions. */
    boolean hasVersions() {
        return this == TOOL || this == SKILL;
    }
}
