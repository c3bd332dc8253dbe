package dev.parley.channels.teams;

import dev.parley.channels.contract.ConversationAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A conversation as the connector names it. A private chat of Parley has the id of its person, other chats have the
 * connector's id, in which {@code !} stands for the colon that session keys do not allow.
 *
 * @param id with {@code ;messageid=} and the first message where it is a thread of a channel
 */
record Conversation(String serviceUrl, String id) {
    private static final String THREAD = ";messageid=";
    private static final char COLON = '!';
    /** A person of Entra ID, or one that only the connector knows. */
    private static final Pattern PERSON = Pattern.compile("\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|29!.*");

    /** The id without the thread. */
    static String base(String id) {
        int thread = id.indexOf(THREAD);
        return thread < 0 ? id : id.substring(0, thread);
    }

    /** The first message of the thread, or null. */
    static @Nullable String thread(String id) {
        int thread = id.indexOf(THREAD);
        return thread < 0 ? null : id.substring(thread + THREAD.length());
    }

    /** The conversation of a thread in this one. */
    Conversation in(@Nullable String thread) {
        return thread == null ? this : new Conversation(serviceUrl, base(id) + THREAD + thread);
    }

    /** An id of Microsoft's as the chat of an address. */
    static String chat(String id) {
        var chat = new StringBuilder();
        for (byte unit : id.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (unit & 0xFF);
            if (character == ':') {
                chat.append(COLON);
            } else if (character > ' ' && character < 0x7F && "/#%!".indexOf(character) < 0) {
                chat.append(character);
            } else {
                chat.append("%%%02X".formatted((int) character));
            }
        }
        return chat.toString();
    }

    /** The id of a group or channel, of which nothing else has to be known; empty for a private chat. */
    static Optional<String> ofGroup(String chat) {
        return isPerson(chat) ? Optional.empty() : Optional.of(id(chat));
    }

    /** The id of the person of a private chat. */
    static String person(String chat) {
        return id(chat);
    }

    private static String id(String chat) {
        return URLDecoder.decode(chat.replace("+", "%2B").replace(COLON, ':'), StandardCharsets.UTF_8);
    }

    private static boolean isPerson(String chat) {
        return PERSON.matcher(chat).matches();
    }

    /** Whether an address is a private chat. */
    static boolean isPrivate(ConversationAddress address) {
        return isPerson(address.chat());
    }

    /** As one line, which {@link #read} reads. */
    String write() {
        return serviceUrl + " " + id;
    }

    static Optional<Conversation> read(String line) {
        int space = line.indexOf(' ');
        return space <= 0 || space == line.length() - 1
                ? Optional.empty()
                : Optional.of(new Conversation(line.substring(0, space), line.substring(space + 1)));
    }
}
