package dev.parley.channels.contract;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Overheard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An inbound message.
 *
 * @param reference the channel's id of this message, unchanged when it is redelivered; the id of the turn is derived
 *     from it
 * @param channel the kind of channel, {@code telegram}
 * @param messageRef the channel's reference of the message, for replies to it, or null
 * @param shared whether users other than the sender read the conversation, as in a group
 * @param earlier what was said in the conversation before, where nobody spoke to the bot yet; oldest first
 */
public record IncomingMessage(
        ConversationAddress address,
        String reference,
        String channel,
        Sender sender,
        @Nullable String agent,
        MailboxMode mode,
        List<Block> content,
        @Nullable String messageRef,
        boolean shared,
        List<Overheard> earlier) {
    public IncomingMessage {
        content = List.copyOf(content);
        earlier = List.copyOf(earlier);
    }
}
