package dev.parley.channels.openai;

import dev.parley.channels.protocols.TurnName;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a response stands: it is a turn of a session. The id says so itself, so that no table has to; whose the session is the session
 * knows, not the id.
 *
 * @param session the session's key, without its project
 * @param seq number of the turn in the session, 0 where that is not known
 */
record ResponseId(String session, UUID turn, long seq) {
    private static final Pattern FORM =
            Pattern.compile("(resp|msg)_([0-9a-f]{32})_([0-9]{1,18})_(%s)".formatted(TurnName.SESSION_FORM));

    /** Reads the id of a response, or of an item in it; empty where it is none. */
    static Optional<ResponseId> parse(String id) {
        Matcher matcher = FORM.matcher(item(id));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return TurnName.session(matcher.group(4))
                .map(session ->
                        new ResponseId(session, TurnName.uuid(matcher.group(2)), Long.parseLong(matcher.group(3))));
    }

    /** An item's id without the number of the item. */
    private static String item(String id) {
        return id.replaceFirst("^msg_[0-9]{1,4}_", "msg_");
    }

    /** The id of the response. */
    String text() {
        return "resp_" + body();
    }

    /** The id of a message in it. */
    String item(int index) {
        return "msg_" + index + "_" + body();
    }

    private String body() {
        return "%s_%d_%s".formatted(hex(turn), seq, TurnName.ofSession(session));
    }

    static String hex(UUID id) {
        return TurnName.hex(id);
    }
}
