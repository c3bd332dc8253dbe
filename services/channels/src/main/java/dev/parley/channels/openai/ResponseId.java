package dev.parley.channels.openai;

import dev.parley.channels.protocols.ExternalTurnId;
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
 * @param from number of the first model call that the response tells of: above 0 where it goes on with a turn that had called functions
 */
record ResponseId(String session, UUID turn, long seq, int from) {
    private static final Pattern FORM = Pattern.compile(
            "(resp|msg|fc)_([0-9a-f]{32})_([0-9]{1,18})(?:s([0-9]{1,6}))?_(%s)".formatted(ExternalTurnId.SESSION_FORM));

    /** Reads the id of a response, or of an item in it; empty where it is none. */
    static Optional<ResponseId> parse(String id) {
        Matcher matcher = FORM.matcher(item(id));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return ExternalTurnId.session(matcher.group(5))
                .map(session -> new ResponseId(
                        session,
                        ExternalTurnId.uuid(matcher.group(2)),
                        Long.parseLong(matcher.group(3)),
                        matcher.group(4) == null ? 0 : Integer.parseInt(matcher.group(4))));
    }

    /** An item's id without the number of the item. */
    private static String item(String id) {
        return id.replaceFirst("^(msg|fc)_[0-9]{1,4}_", "$1_");
    }

    /** The id of the response. */
    String text() {
        return "resp_" + body();
    }

    /** The id of a message in it. */
    String item(int index) {
        return "msg_" + index + "_" + body();
    }

    /** The id of a call in it. @param index among all items */
    String call(int index) {
        return "fc_" + index + "_" + body();
    }

    private String body() {
        return "%s_%d%s_%s"
                .formatted(
                        ExternalTurnId.hex(turn), seq, from == 0 ? "" : "s" + from, ExternalTurnId.ofSession(session));
    }
}
