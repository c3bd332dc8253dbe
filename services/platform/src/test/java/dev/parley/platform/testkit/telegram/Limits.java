package dev.parley.platform.testkit.telegram;

import java.time.Duration;

/**
 * How much a bot may send; 0 is without end.
 *
 * @param botPerSecond sends of a bot to all chats
 * @param chatBurst sends and edits in one chat at once
 * @param chatPace after which the chat takes one more
 * @param groupPerMinute sends and edits in a group
 * @param editsCountForBot whether edits count like sends for the bot too
 */
public record Limits(int botPerSecond, int chatBurst, Duration chatPace, int groupPerMinute, boolean editsCountForBot) {
    /** No limits. */
    public static final Limits NONE = new Limits(0, 0, Duration.ZERO, 0, false);

    /** What Telegram says of itself. */
    public static final Limits TELEGRAM = new Limits(30, 3, Duration.ofSeconds(1), 20, false);
}
