package dev.parley.control.http;

import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;

/** Upper limits of the entities of one owner, so that tables and memory stay bounded. */
public final class Quota {
    private Quota() {}

    /**
     * Checks that another entity may be created. Concurrent requests may exceed the limit by a few.
     *
     * @param noun the plural of the entity in the message
     * @throws ApiException 409 at the limit
     */
    public static void check(long count, int max, String noun) {
        if (count >= max) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many",
                    "You have %d %s, the limit: remove some that are not needed".formatted(count, noun));
        }
    }
}
