package dev.parley.domain.protocol;

/** Whether a session takes turns; an archived one can be reopened, a deleted one is gone for everybody. */
public enum SessionStatus {
    ACTIVE,
    ARCHIVED,
    DELETED
}
