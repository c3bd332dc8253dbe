package dev.parley.domain.definition;

import java.util.Locale;

/** The side effects of a tool, from least to most. */
public enum ToolAccess {
    /** Reads only. */
    READ,
    /** Modifies data. */
    WRITE,
    /** Executes code or commands; also the default for tools that do not declare their access. */
    EXECUTE;

    /** The name under which permission rules refer to all tools with this access. */
    public String category() {
        return "@" + name().toLowerCase(Locale.ROOT);
    }

    /** Whether this access includes the other. */
    public boolean covers(ToolAccess other) {
        return compareTo(other) >= 0;
    }
}
