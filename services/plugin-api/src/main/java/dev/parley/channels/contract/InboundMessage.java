package dev.parley.channels.contract;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A message received by a plug-in's channel.
 *
 * @param address the conversation, of the receiving bot; chat and topic are 1 to 128 printable ASCII characters without
 *     spaces, {@code /}, {@code #} and {@code :}
 * @param reference id of the message, the same on redelivery: 1 to 126 printable ASCII characters without spaces.
 *     Replies refer to it ({@link Delivery#answers})
 * @param sender the author: an id with the syntax of a reference, and a name of at most 200 characters
 * @param text at most 1 MiB; may be empty if there are files
 * @param files at most 63
 * @param shared whether others than the sender can read the conversation, as in a group
 */
public record InboundMessage(
        ConversationAddress address,
        String reference,
        Sender sender,
        String text,
        List<Attachment> files,
        boolean shared) {
    /** Valid id of a message or a sender. */
    public static final Pattern REFERENCE = Pattern.compile("[!-~]{1,126}");

    public InboundMessage {
        files = List.copyOf(files);
    }

    /** A text message in a private conversation. */
    public InboundMessage(ConversationAddress address, String reference, Sender sender, String text) {
        this(address, reference, sender, text, List.of(), false);
    }

    /**
     * An attached file of at most 20 MiB.
     *
     * @param mimeType such as {@code image/png}
     */
    public record Attachment(String name, String mimeType, byte[] bytes) {}
}
