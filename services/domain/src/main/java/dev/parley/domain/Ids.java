package dev.parley.domain;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.regex.Pattern;

/** Deterministic ids (RFC 9562 version 5): equal names give equal ids, so that redelivery is an upsert. */
public final class Ids {
    /** Parley's namespace. Must never change: every id on every topic depends on it. */
    private static final UUID NAMESPACE = UUID.fromString("6b1f7c1e-8f6d-5c55-9a0e-70a71e7e0001");

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern RESEMBLING =
            Pattern.compile("(?i)\\W*(urn:)?(uuid:)?\\W*([0-9a-f]+(-[0-9a-f]+){4}|[0-9a-f]{32})\\W*");
    private static final char SEPARATOR = '\u0001';

    private Ids() {}

    /** The id of an object named by these parts, for example {@code of(turnId, "tool", step, index)}. */
    public static UUID of(Object... parts) {
        var name = new StringBuilder();
        for (Object part : parts) {
            name.append(part).append(SEPARATOR);
        }
        var sha1 = sha1();
        sha1.update(bytes(NAMESPACE));
        ByteBuffer hash = ByteBuffer.wrap(sha1.digest(name.toString().getBytes(StandardCharsets.UTF_8)));
        long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x0000_0000_0000_5000L;
        long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /**
     * Parses an id in its only form, 36 characters in lower case. {@link UUID#fromString} also reads others (upper
     * case, {@code 1-1-1-1-1}), which would be second names of the same object.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static UUID parse(String text) {
        if (!isId(text)) {
            throw new IllegalArgumentException("an id is a UUID of 36 characters in lower case");
        }
        return UUID.fromString(text);
    }

    /** Whether a text is an id as {@link #parse} reads it. */
    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Whether a text could be taken for an id, in whatever form, so that it must not be the name of anything. */
    public static boolean resemblesId(String text) {
        return RESEMBLING.matcher(text).matches();
    }

    /** The id of a turn's message; index 0 is the input. */
    public static UUID message(UUID turnId, int index) {
        return of("message", turnId, index);
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
