package dev.parley.server.audit;

/** The topics cannot be audited; the message gives the reason. */
public final class AuditException extends Exception {
    public AuditException(String message) {
        super(message);
    }

    AuditException(String message, Throwable cause) {
        super(message, cause);
    }
}
