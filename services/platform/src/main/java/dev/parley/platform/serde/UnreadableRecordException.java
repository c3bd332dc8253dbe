package dev.parley.platform.serde;

import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** A record has bytes that are not valid for its topic. Retrying does not help: it belongs on dead-letters. */
public final class UnreadableRecordException extends SerializationException {
    private static final long serialVersionUID = 1;

    /** What is wrong with the bytes. */
    public enum Reason {
        /** They do not begin with byte 0: some other serializer wrote them. */
        UNKNOWN_MAGIC_BYTE,
        /** Neither the header nor the id names a schema that is known here: a newer version or a stranger wrote them. */
        UNKNOWN_SCHEMA,
        /** They end too early, or too late. */
        WRONG_LENGTH,
        /** They are a record of a type that the topic does not hold. */
        WRONG_TYPE,
        /** They have a value, a kind of content or a symbol that does not exist here. */
        INVALID_VALUE
    }

    private final Reason reason;

    UnreadableRecordException(Reason reason, String topic, String detail, @Nullable Throwable cause) {
        super(reason + ": a record of " + topic + " cannot be read: " + detail, cause);
        this.reason = reason;
    }

    /** What is wrong. */
    public Reason reason() {
        return reason;
    }
}
