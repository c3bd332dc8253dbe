package dev.parley.domain.protocol;

/** Lifecycle of a session: an archived one can be reopened, a deleted one is not visible to any user. */
public enum SessionStatus {
    ACTIVE,
    ARCHIVED,
    DELETED
}
