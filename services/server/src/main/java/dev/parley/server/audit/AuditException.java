package dev.parley.server.audit;

/** The topics cannot be audited; the message says why. */
public final class AuditException extends Exception {
    public AuditException(String message) {
        super(message);
    }

    AuditException(String message, Throwable cause) {
        super(message, cause);
    }
}
