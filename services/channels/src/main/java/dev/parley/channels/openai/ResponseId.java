package dev.parley.channels.openai;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
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
    private static final String OWN = "api:";
    private static final Pattern FORM =
            Pattern.compile("(resp|msg)_([0-9a-f]{32})_([0-9]{1,18})_(?:([0-9a-f]{32})|k([A-Za-z0-9_-]{2,2800}))");

    /** Reads the id of a response, or of an item in it; empty where it is none. */
    static Optional<ResponseId> parse(String id) {
        Matcher matcher = FORM.matcher(item(id));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            String session = matcher.group(4) == null
                    ? new String(Base64.getUrlDecoder().decode(matcher.group(5)), StandardCharsets.UTF_8)
                    : OWN + uuid(matcher.group(4));
            return Optional.of(new ResponseId(session, uuid(matcher.group(2)), Long.parseLong(matcher.group(3))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
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
        return "%s_%d_%s".formatted(hex(turn), seq, sessionPart());
    }

    private String sessionPart() {
        if (session.startsWith(OWN)) {
            String rest = session.substring(OWN.length());
            if (rest.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")) {
                return rest.replace("-", "");
            }
        }
        return "k" + Base64.getUrlEncoder().withoutPadding().encodeToString(session.getBytes(StandardCharsets.UTF_8));
    }

    static String hex(UUID id) {
        return id.toString().replace("-", "");
    }

    private static UUID uuid(String hex) {
        return UUID.fromString(hex.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
    }
}
