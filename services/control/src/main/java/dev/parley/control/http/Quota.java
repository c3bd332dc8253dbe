package dev.parley.control.http;

import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** Upper limits on how many entities one owner may have, so that tables and memory stay bounded. */
public final class Quota {
    private Quota() {}

    /**
     * Checks that one more may be created. Concurrent requests may exceed the limit by a few.
     *
     * @param noun their name in the message
     * @param sql selects the existing ones
     * @throws ApiException 409 at the limit
     */
    public static void check(Transaction transaction, int max, String noun, String sql, @Nullable Object... values) {
        check(
                transaction.query(
                        "SELECT count(*) FROM (%s LIMIT %d) AS found".formatted(sql, max),
                        row -> row.next() ? row.getLong(1) : 0L,
                        values),
                max,
                noun);
    }

    /** The same for a known count. */
    public static void check(long count, int max, String noun) {
        if (count >= max) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many",
                    "You have %d %s, the limit: remove some that are not needed".formatted(count, noun));
        }
    }
}
