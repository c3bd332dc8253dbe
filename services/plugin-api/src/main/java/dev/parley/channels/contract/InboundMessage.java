package dev.parley.channels.contract;

import dev.parley.domain.protocol.MailboxMode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A message received by a channel.
 *
 * @param address the conversation, of the receiving bot; chat and topic are 1 to 128 printable ASCII characters without
 *     spaces, {@code /}, {@code #} and {@code :}
 * @param reference id of the message, the same on redelivery: 1 to 126 printable ASCII characters without spaces.
 *     Replies refer to it ({@link Delivery#answers})
 * @param sender the author: an id with the syntax of a reference, and a name of at most 200 characters
 * @param content at most 64 texts and files in their order; the texts together have at most 1 MiB
 * @param shared whether others than the sender can read the conversation, as in a group
 * @param mode what becomes of it while another turn is active
 */
public record InboundMessage(
        ConversationAddress address,
        String reference,
        Sender sender,
        List<Content> content,
        boolean shared,
        MailboxMode mode) {
    /** Valid id of a message or a sender. */
    public static final Pattern REFERENCE = Pattern.compile("[!-~]{1,126}");

    public InboundMessage {
        content = List.copyOf(content);
    }

    /**
     * A message that waits for the active turn.
     *
     * @param text may be empty if there are files
     */
    public InboundMessage(
            ConversationAddress address,
            String reference,
            Sender sender,
            String text,
            List<Attachment> files,
            boolean shared) {
        this(address, reference, sender, content(text, files), shared, MailboxMode.FOLLOWUP);
    }

    /** A text message in a private conversation. */
    public InboundMessage(ConversationAddress address, String reference, Sender sender, String text) {
        this(address, reference, sender, text, List.of(), false);
    }

    private static List<Content> content(String text, List<Attachment> files) {
        var content = new ArrayList<Content>();
        if (!text.isBlank()) {
            content.add(new Text(text));
        }
        content.addAll(files);
        return content;
    }

    /** A part of a message. */
    public sealed interface Content {}

    /** Words of the sender. */
    public record Text(String text) implements Content {}

    /**
     * An attached file of at most 20 MiB.
     *
     * @param mimeType such as {@code image/png}
     */
    public record Attachment(String name, String mimeType, byte[] bytes) implements Content {}
}
