package dev.parley.domain.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

/** Thrown when a JSON text exceeds its {@link JsonBounds}; the message is a sentence without its full stop. */
public final class JsonBoundsException extends StreamConstraintsException {
    private static final long serialVersionUID = 1L;

    private final String code;

    JsonBoundsException(String code, String message, JsonLocation location) {
        super(message, location);
        this.code = code;
    }

    /** {@code too_deep}, {@code too_many_values}, {@code too_many_members} or {@code number_out_of_range}. */
    public String code() {
        return code;
    }
}
