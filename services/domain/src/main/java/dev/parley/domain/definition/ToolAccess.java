package dev.parley.domain.definition;

import java.util.Locale;

/** What a tool does to the world, from least to most. */
public enum ToolAccess {
    /** It looks. */
    READ,
    /** It changes things. */
    WRITE,
    /** It runs what it is given, or nobody said what it does. */
    EXECUTE;

    /** What rules about tool calls name all tools with this access by. */
    public String category() {
        return "@" + name().toLowerCase(Locale.ROOT);
    }

    /** Whether whoever has this may do that. */
    public boolean covers(ToolAccess other) {
        return compareTo(other) >= 0;
    }
}
