package dev.parley.client;

import java.util.List;

/** The API refused a request: another one like it would be refused as well, unless something changes. */
public final class ParleyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final transient List<String> errors;

    ParleyException(int status, String code, String detail, List<String> errors) {
        super(detail);
        this.status = status;
        this.code = code;
        this.errors = List.copyOf(errors);
    }

    /** The status of HTTP, such as 404. */
    public int status() {
        return status;
    }

    /** The word for programs, such as {@code unknown_session}; it does not change. */
    public String code() {
        return code;
    }

    /** What is wrong with each field, as JSON, where that is known. */
    public List<String> errors() {
        return errors == null ? List.of() : errors;
    }
}
