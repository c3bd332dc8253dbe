package dev.parley.channels.openai;

import dev.parley.channels.protocols.ExternalTurnId;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a response, which contains its session and turn, so that no table is needed; the session checks the caller.
 *
 * @param session key of the session, without its project
 * @param seq number of the turn in the session, 0 where unknown
 * @param from number of the first model call of the response: above 0 where it continues a turn after function calls
 */
record ResponseId(String session, UUID turn, long seq, int from) {
    private static final Pattern FORM = Pattern.compile(
            "(resp|msg|fc)_([0-9a-f]{32})_([0-9]{1,18})(?:s([0-9]{1,6}))?_(%s)".formatted(ExternalTurnId.SESSION_FORM));

    /** Parses the id of a response or of one of its items; empty where it is malformed. */
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

    /** The id of an item without its index. */
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

    /**
     * The id of a call in it.
     *
     * @param index among all items
     */
    String call(int index) {
        return "fc_" + index + "_" + body();
    }

    private String body() {
        return "%s_%d%s_%s"
                .formatted(
                        ExternalTurnId.hex(turn), seq, from == 0 ? "" : "s" + from, ExternalTurnId.ofSession(session));
    }
}
