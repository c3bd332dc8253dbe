package dev.parley.channels.protocols;

import dev.parley.domain.Ids;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a turn for other programs, which contains its session, so that no table is needed; the session checks the
 * caller.
 *
 * @param session key of the session, without its project
 */
public record ExternalTurnId(String session, UUID turn) {
    /** The pattern of {@link #ofSession}, without groups. */
    public static final String SESSION_FORM = "[0-9a-f]{32}|k[A-Za-z0-9_-]{2,2800}";

    private static final String OWN = "api:";
    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern FORM = Pattern.compile("([0-9a-f]{32})_(" + SESSION_FORM + ")");

    /** Parses an id; empty where it is malformed. */
    public static Optional<ExternalTurnId> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? session(matcher.group(2)).map(session -> new ExternalTurnId(session, uuid(matcher.group(1))))
                : Optional.empty();
    }

    /** The id as text. */
    public String text() {
        return hex(turn) + "_" + ofSession(session);
    }

    /** A session key encoded with letters, digits, _ and -. */
    public static String ofSession(String session) {
        String id = session.startsWith(OWN) ? session.substring(OWN.length()) : "";
        return UUID_FORM.matcher(id).matches()
                ? id.replace("-", "")
                : "k"
                        + Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(session.getBytes(StandardCharsets.UTF_8));
    }

    /** Decodes a session key; empty where it is malformed. */
    public static Optional<String> session(String encoded) {
        if (!encoded.startsWith("k")) {
            return Optional.of(OWN + uuid(encoded));
        }
        try {
            byte[] key = Base64.getUrlDecoder().decode(encoded.substring(1));
            return Optional.of(new String(key, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** An id as 32 hexadecimal digits. */
    public static String hex(UUID id) {
        return id.toString().replace("-", "");
    }

    /** The id with these 32 hexadecimal digits. */
    public static UUID uuid(String hex) {
        return Ids.parse(hex.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
    }
}
