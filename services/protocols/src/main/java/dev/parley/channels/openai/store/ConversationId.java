package dev.parley.channels.openai.store;

import dev.parley.channels.protocols.ExternalTurnId;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public record ConversationId(UUID id) {
    private static final String PREFIX = "conv_";
    private static final Pattern FORM = Pattern.compile(PREFIX + "([0-9a-f]{32})");

    /** Whether a name is meant as an id of the protocol, not as the key of a session. */
    public static boolean isMeant(String name) {
        return name.startsWith(PREFIX);
    }

    /** Parses an id; empty where it is malformed. */
    static Optional<ConversationId> parse(String id) {
        Matcher matcher = FORM.matcher(id);
        return matcher.matches()
                ? Optional.of(new ConversationId(ExternalTurnId.uuid(matcher.group(1))))
                : Optional.empty();
    }

    public String text() {
        return PREFIX + ExternalTurnId.hex(id);
    }
}
