package dev.parley.domain.permission;

import dev.parley.domain.Coded;

/** What becomes of a tool call, the strictest last. */
public enum PermissionAction implements Coded {
    /** It is carried out. */
    ALLOW,
    /** Needs a person's approval. */
    ASK,
    /** Denied. */
    DENY;
}
