package dev.parley.control.people;

import dev.parley.platform.access.Token;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
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
    private static final int MAX_BACKOFF_MINUTES = 15;

    private final Database database;

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

    SignInThrottle(Database database) {
        this.database = database;
    }

    /**
     * Counts an attempt before it is made, so that many at once are counted one by one.
     *
     * @param address network address of the client
     * @throws ApiException 429 while the name, the address or the pair is throttled
     */
    void begin(String name, String address) {
        Duration wait = database.in(Tenant.NONE, transaction -> {
            transaction.update("DELETE FROM control.auth_attempt_t WHERE until_ts < now() - interval '2 hours'");
            List<Counter> counters = counters(name, address);
            Duration longest = counters.stream()
                    .map(counter ->
                            throttledUntil(transaction, counter)) // may wait for the lock: read the clock afterwards
                    .map(until -> Duration.between(Instant.now(), until))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            if (!longest.isPositive()) {
                counters.forEach(counter -> count(transaction, counter));
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
    private static List<Counter> counters(String name, String address) {
        String network = network(address);
        return List.of(
                new Counter(pair(name, network), FREE_BY_PAIR),
                new Counter(Token.hash("name " + name.toLowerCase(Locale.ROOT)), FREE_BY_NAME),
                new Counter(Token.hash("address " + network), FREE_BY_ADDRESS));
    }

    private static byte[] pair(String name, String network) {
        return Token.hash("pair " + network + " " + name.toLowerCase(Locale.ROOT));
    }

    /** The /64 network of an IPv6 address, which one customer has; an IPv4 address unchanged. */
    static String network(String address) {
        if (!address.contains(":")) {
            return address;
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length == 4 ? address : HexFormat.of().formatHex(bytes, 0, 8);
        } catch (UnknownHostException e) {
            return address;
        }
    }

    /** The end of the delay of a counter, which is locked until the transaction ends. */
    private static Instant throttledUntil(Transaction transaction, Counter counter) {
        transaction.update(
                "INSERT INTO control.auth_attempt_t (subject, failures, until_ts) VALUES (?, 0, now()) ON CONFLICT DO NOTHING",
                (Object) counter.subject());
        return transaction.query(
                "SELECT until_ts FROM control.auth_attempt_t WHERE subject = ? FOR UPDATE",
                row -> row.next() ? Columns.time(row, "until_ts") : Instant.EPOCH,
                (Object) counter.subject());
    }

    private static void count(Transaction transaction, Counter counter) {
        transaction.update("""
                UPDATE control.auth_attempt_t a SET failures = n.failures,
                  until_ts = clock_timestamp() + CASE WHEN n.failures < ? THEN interval '0'
                    ELSE least(interval '1 second' * power(2, least(n.failures - ?, 20)), interval '%d minutes') END
                FROM (SELECT subject, CASE WHEN until_ts < now() - interval '1 hour' THEN 1 ELSE failures + 1 END AS failures
                      FROM control.auth_attempt_t WHERE subject = ?) AS n
                WHERE a.subject = n.subject
                """.formatted(MAX_BACKOFF_MINUTES), counter.free(), counter.free(), counter.subject());
    }

    /** Resets the counter of the pair, and takes the attempt back from the others. */
    void succeeded(String name, String address) {
        database.in(Tenant.NONE, transaction -> {
            transaction.update(
                    "DELETE FROM control.auth_attempt_t WHERE subject = ?", (Object) pair(name, network(address)));
            for (Counter counter : counters(name, address)) {
                transaction.update(
                        "UPDATE control.auth_attempt_t SET failures = failures - 1 WHERE subject = ? AND failures > 0",
                        (Object) counter.subject());
            }
            return null;
        });
    }

    /**
     * Counts a request.
     *
     * @throws ApiException 429 above the limit
     */
    void require(Limit limit, String subject) {
        Duration wait = wait(limit, subject);
        if (wait.isPositive()) {
            throw new ApiException(
                            HttpStatus.TOO_MANY_REQUESTS, "too_many_attempts", "Too many requests: try again later.")
                    .retryAfter(wait);
        }
    }

    /** Counts a request; returns the remaining delay, which is zero within the limit. */
    Duration wait(Limit limit, String subject) {
        byte[] hash = Token.hash(limit + " " + subject.toLowerCase(Locale.ROOT));
        return database.in(
                Tenant.NONE,
                transaction -> transaction.query(
                        """
                        INSERT INTO control.auth_attempt_t AS a (subject, failures, until_ts) VALUES (?, 1, now() + interval '1 hour')
                        ON CONFLICT (subject) DO UPDATE SET
                          failures = CASE WHEN a.until_ts <= now() THEN 1 ELSE least(a.failures, 1000000) + 1 END,
                          until_ts = CASE WHEN a.until_ts <= now() THEN now() + interval '1 hour' ELSE a.until_ts END
                        RETURNING failures, until_ts
                        """,
                        row -> {
                            row.next();
                            return row.getInt("failures") <= limit.max
                                    ? Duration.ZERO
                                    : Duration.between(Instant.now(), Columns.time(row, "until_ts"));
                        },
                        (Object) hash));
    }
}
