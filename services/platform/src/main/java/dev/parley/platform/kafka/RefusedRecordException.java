package dev.parley.platform.kafka;

/** A record is refused. The message says why: somebody without the installation key wrote it, or an older state. */
public final class RefusedRecordException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedRecordException(String message) {
        super(message);
    }
}
