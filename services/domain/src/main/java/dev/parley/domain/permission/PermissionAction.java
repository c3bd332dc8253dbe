package dev.parley.domain.permission;

/** What becomes of a tool call, the strictest last. */
public enum PermissionAction {
    /** It is carried out. */
    ALLOW,
    /** A person is asked. */
    ASK,
    /** It is refused. */
    DENY
}
