package dev.parley.domain.protocol.origin;

import dev.parley.domain.RecordKey;
import org.jspecify.annotations.Nullable;

/**
 * The address for a turn's replies.
 *
 * @param bot name of the bot that delivers them, the key of {@code replies}
 * @param chat the channel's own id of the conversation
 * @param topic the thread within the conversation, or null
 * @param messageRef the channel's reference of the message being answered, or null
 */
public record ReplyAddress(
        String bot,
        String chat,
        @Nullable String topic,
        @Nullable String messageRef) {
    /**
     * The address of the chat that a session is of, from its key {@code {bot}:{chat}[:{topic}]}.
     *
     * @param owner of the session
     * @return null if the session is of no bot's chat
     */
    public static @Nullable ReplyAddress ofChat(RecordKey session, Actor owner) {
        String space = owner.name() + ":";
        if (owner.kind() != ActorKind.BOT || !session.session().startsWith(space)) {
            return null;
        }
        String[] parts = session.session().substring(space.length()).split(":");
        if (parts.length > 2 || parts[0].isEmpty()) {
            return null; // a delegate's session has no chat
        }
        return new ReplyAddress(owner.name(), parts[0], parts.length > 1 ? parts[1] : null, null);
    }
}
