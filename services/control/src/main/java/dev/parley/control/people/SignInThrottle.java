package dev.parley.control.people;

import dev.parley.control.people.AttemptRows.Attempts;
import dev.parley.domain.Sha256;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Throttles password attempts by exponential backoff: after {@value #FREE_BY_PAIR} failures for a name from an address,
 * {@value #FREE_BY_NAME} for a name or {@value #FREE_BY_ADDRESS} from an address, whether or not the name exists. Other
 * sign-in requests have hourly limits. Counts are shared by all instances.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class SignInThrottle {
    private static final int FREE_BY_PAIR = 5;
    private static final int FREE_BY_NAME = 50;
    private static final int FREE_BY_ADDRESS = 30;

    private final Database database;
    private final AttemptRows rows;

    /** Requests with an hourly limit. */
    enum Limit {
        /** Registrations from a network address. */
        REGISTER(60),
        /** Federated sign-ins started from a network address. */
        IDENTITY(300),
        /** Requests for e-mail from a network address. */
        EMAIL(30),
        /** E-mails to one e-mail address. */
        EMAIL_TO(3);

        private final int max;

        Limit(int max) {
            this.max = max;
        }
    }

    SignInThrottle(Database database, AttemptRows rows) {
        this.database = database;
        this.rows = rows;
    }

    /**
     * Counts an attempt before it is made, so that many at once are counted one by one.
     *
     * @param network of the client's address
     * @throws ApiException 429 while the name, the address or the pair is throttled
     */
    void begin(String name, String network) {
        Duration wait = database.in(Tenant.NONE, () -> {
            rows.deleteEnded();
            List<Counter> counters = counters(name, network);
            Duration longest = counters.stream()
                    .map(this::throttledUntil) // may wait for the lock: read the clock afterwards
                    .map(until -> Duration.between(Instant.now(), until))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            if (!longest.isPositive()) {
                counters.forEach(counter -> rows.count(counter.subject(), counter.free()));
            }
            return longest;
        });
        if (wait.isPositive()) {
            throw new ApiException(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "too_many_attempts",
                            "Too many attempts: wait, then try again.")
                    .retryAfter(wait);
        }
    }

    /**
     * A counter of failures.
     *
     * @param free failures without a delay
     */
    private record Counter(byte[] subject, int free) {}

    /** The counter of the name alone has a high limit, so that others cannot easily lock an account. */
    private static List<Counter> counters(String name, String network) {
        return List.of(
                new Counter(pair(name, network), FREE_BY_PAIR),
                new Counter(Sha256.of("name " + name.toLowerCase(Locale.ROOT)), FREE_BY_NAME),
                new Counter(Sha256.of("address " + network), FREE_BY_ADDRESS));
    }

    private static byte[] pair(String name, String network) {
        return Sha256.of("pair " + network + " " + name.toLowerCase(Locale.ROOT));
    }

    /** The end of the delay of a counter, which is locked until the transaction ends. */
    private Instant throttledUntil(Counter counter) {
        rows.insert(counter.subject());
        return rows.locked(counter.subject()).map(Attempts::untilTs).orElse(Instant.EPOCH);
    }

    /** Resets the counter of the pair, and takes the attempt back from the others. */
    void onSucceeded(String name, String network) {
        database.in(Tenant.NONE, () -> {
            rows.delete(pair(name, network));
            counters(name, network).forEach(counter -> rows.takeBack(counter.subject()));
        });
    }

    /**
     * Counts a request.
     *
     * @throws ApiException 429 above the limit
     */
    void require(Limit limit, String subject) {
        Duration wait = count(limit, subject);
        if (wait.isPositive()) {
            throw new ApiException(
                            HttpStatus.TOO_MANY_REQUESTS, "too_many_attempts", "Too many requests: try again later.")
                    .retryAfter(wait);
        }
    }

    /** Counts a request; returns the remaining delay, which is zero within the limit. */
    Duration count(Limit limit, String subject) {
        byte[] hash = Sha256.of(limit + " " + subject.toLowerCase(Locale.ROOT));
        Attempts requests = database.in(Tenant.NONE, () -> rows.countRequest(hash));
        return requests.failures() <= limit.max ? Duration.ZERO : Duration.between(Instant.now(), requests.untilTs());
    }
}
