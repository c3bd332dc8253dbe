package dev.parley.platform.http.signin;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the permissions of an external issuer's token into a signed claim, which represents the token until it
 * expires, since tokens are not stored.
 */
public final class IssuedKey {
    /** Prefix of a claim for an issued token. No prefix of a key begins with it. */
    private static final String MARK = "issued\n";

    private static final int FIELDS = 6;

    private IssuedKey() {}

    public static String write(AccessKey key) {
        Instant end = key.expiresAt();
        return MARK
                + String.join(
                        "\n",
                        key.host().toString(),
                        key.user().toString(),
                        key.id().toString(),
                        key.prefix(),
                        end == null ? "" : Long.toString(end.getEpochSecond()),
                        String.join(",", key.permissions()));
    }

    /**
     * Reads a claim; empty for other keys.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    public static Optional<AccessKey> read(String name) {
        if (!name.startsWith(MARK)) {
            return Optional.empty();
        }
        String[] fields = name.substring(MARK.length()).split("\n", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("no issued key");
        }
        return Optional.of(new AccessKey(
                KeyKind.API_KEY,
                Ids.parse(fields[0]),
                Ids.parse(fields[1]),
                Ids.parse(fields[2]),
                AccessKey.ISSUED,
                fields[3],
                "",
                null,
                fields[5].isEmpty() ? List.of() : List.of(fields[5].split(",")),
                end(fields[4])));
    }

    private static @Nullable Instant end(String seconds) {
        return seconds.isEmpty() ? null : Instant.ofEpochSecond(Long.parseLong(seconds));
    }
}
