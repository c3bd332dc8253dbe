package dev.parley.platform.serde;

import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** The bytes of a record are not valid for its topic. Retrying does not help: it must be dead-lettered. */
public final class UnreadableRecordException extends SerializationException {
    private static final long serialVersionUID = 1;

    /** The reason why the bytes are invalid. */
    public enum Reason {
        /** They do not begin with byte 0: another serializer wrote them. */
        UNKNOWN_MAGIC_BYTE,
        /** Neither the header nor the id names a known schema: a newer version or another program wrote them. */
        UNKNOWN_SCHEMA,
        /** They are too short or too long. */
        WRONG_LENGTH,
        /** They are a record type that the topic does not have. */
        WRONG_TYPE,
        /** They have a value, a kind of content or a symbol that is unknown here. */
        INVALID_VALUE
    }

    private final Reason reason;

    /** @param detail the rest of the message, which begins with the record and its topic */
    public UnreadableRecordException(Reason reason, String topic, String detail, @Nullable Throwable cause) {
        super(reason + ": a record of " + topic + " cannot be read: " + detail, cause);
        this.reason = reason;
    }

    /** The reason why the record is unreadable. */
    public Reason reason() {
        return reason;
    }
}
