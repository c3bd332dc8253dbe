package dev.parley.domain.permission;

import dev.parley.domain.Coded;

/** The action for a tool call, strictest last. */
public enum PermissionAction implements Coded {
    /** Executed. */
    ALLOW,
    /** Needs a person's approval. */
    ASK,
    /** Denied. */
    DENY;
}
