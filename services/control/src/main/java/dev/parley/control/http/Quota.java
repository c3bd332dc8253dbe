package dev.parley.control.http;

import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import java.util.function.LongSupplier;

/** Upper limits of the entities of one owner, so that tables and memory stay bounded. */
public final class Quota {
    private Quota() {}

    /**
     * Checks that another entity may be created in this transaction. Creations for the same owner wait for its end, so
     * that concurrent ones do not exceed the limit together.
     *
     * @param owner of the entities
     * @param count counts the owner's entities
     * @param noun the plural of the entity in the message
     * @throws ApiException 409 at the limit
     */
    public static void check(Transaction transaction, Object owner, LongSupplier count, int max, String noun) {
        transaction.lock("quota/" + noun + "/" + owner);
        long existing = count.getAsLong();
        if (existing >= max) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many",
                    "You have %d %s, the limit: remove some that are not needed".formatted(existing, noun));
        }
    }
}
