package dev.parley.platform.testkit.telegram;

import java.time.Instant;

/**
 * Something that happened in a chat.
 *
 * @param messageId 0 without one
 * @param detail text, action or emoji
 */
public record Event(Kind kind, Instant at, int messageId, String detail) {
    /** What happened. */
    public enum Kind {
        SAID,
        SAID_EDITED,
        SENT,
        EDITED,
        DELETED,
        ACTION,
        /** A frame of a draft, with its text. */
        DRAFT,
        REACTED,
        PRESSED,
        PRESS_ANSWERED,
        MEMBERSHIP
    }
}
