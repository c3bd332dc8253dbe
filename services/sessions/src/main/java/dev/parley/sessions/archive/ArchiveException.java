package dev.parley.sessions.archive;

import org.jspecify.annotations.Nullable;

/** An archive that cannot be imported; the message says why and, where possible, what to do. */
public final class ArchiveException extends Exception {
    private static final long serialVersionUID = 1;

    private final String code;

    /** @param code error code for programs, such as {@code archive_too_new} */
    public ArchiveException(String code, String message) {
        this(code, message, null);
    }

    /**
     * @param code error code for programs, such as {@code archive_damaged}
     * @param cause the exception behind it, or null
     */
    ArchiveException(String code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** The error code for programs. */
    public String code() {
        return code;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
