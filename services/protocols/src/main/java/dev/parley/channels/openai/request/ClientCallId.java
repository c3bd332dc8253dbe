package dev.parley.channels.openai.request;

import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.domain.Ids;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The id of a call of a client's function: at most 40 characters, which every provider of models accepts. */
public record ClientCallId(UUID call) {
    private static final Pattern FORM = Pattern.compile("call_([0-9a-f]{32})");
    private static final int MAX_LENGTH = 40;

    /** Parses an id; empty where no call of Parley has it. */
    public static Optional<ClientCallId> parse(String id) {
        Matcher matcher = FORM.matcher(id);
        return matcher.matches()
                ? Optional.of(new ClientCallId(ExternalTurnId.uuid(matcher.group(1))))
                : Optional.empty();
    }

    public String text() {
        return "call_" + ExternalTurnId.hex(call);
    }

    /** The id for transcripts of models: itself, or one derived from an id of another system that is too long. */
    public static String shortId(String id) {
        return id.length() <= MAX_LENGTH ? id : new ClientCallId(Ids.of("foreign call", id)).text();
    }
}
