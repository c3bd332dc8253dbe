package dev.parley.control.http;

import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** How many of something somebody may have: enough for people, too few to fill tables and memories with. */
public final class Quota {
    private Quota() {}

    /**
     * Checks that there may be one more. Who makes several at the same moment may come a few beyond it.
     *
     * @param things what they are, for people
     * @param sql finds those that there are
     * @throws ApiException 409 where there are as many as there may be
     */
    public static void check(Transaction transaction, int most, String things, String sql, @Nullable Object... values) {
        check(
                transaction.query(
                        "SELECT count(*) FROM (%s LIMIT %d) AS found".formatted(sql, most),
                        row -> row.next() ? row.getLong(1) : 0L,
                        values),
                most,
                things);
    }

    /** The same, where they are counted. */
    public static void check(long there, int most, String things) {
        if (there >= most) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many",
                    "You have %d %s, and more cannot be made; remove some that are not needed"
                            .formatted(there, things));
        }
    }
}
