package dev.parley.channels.contract;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What somebody said on a plug-in's channel.
 *
 * @param address where: its bot is the one that takes it in; chat and topic are 1 to 128 printable ASCII characters without
 *     spaces, {@code /}, {@code #} and {@code :}
 * @param reference names the message, the same when it is delivered again: 1 to 126 printable ASCII characters without
 *     spaces. Replies answer it ({@link Delivery#answers})
 * @param sender who: an id like a reference, and a name of at most 200 characters
 * @param text at most 1 MiB; may be empty where there are files
 * @param files at most 63
 * @param shared whether others than the sender read the conversation, as in a group
 */
public record InboundMessage(
        ConversationAddress address,
        String reference,
        Sender sender,
        String text,
        List<Attachment> files,
        boolean shared) {
    /** What names a message, or a person. */
    public static final Pattern REFERENCE = Pattern.compile("[!-~]{1,126}");

    public InboundMessage {
        files = List.copyOf(files);
    }

    /** A text that nobody else reads. */
    public InboundMessage(ConversationAddress address, String reference, Sender sender, String text) {
        this(address, reference, sender, text, List.of(), false);
    }

    /**
     * A file that came with it, of at most 20 MiB.
     *
     * @param mimeType such as {@code image/png}
     */
    public record Attachment(String name, String mimeType, byte[] bytes) {}
}
