package dev.parley.control.people;

import dev.parley.control.http.Columns;
import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;

/**
 * Slows down those who try passwords: after some failures for a name, or more of them from an address, the next attempt has to
 * wait, each time twice as long. It does not matter whether the name is anybody's. Other things may be done only so often. All
 * instances count together.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Attempts {
    private static final int OF_NAME = 5;
    private static final int OF_ADDRESS = 30;
    private static final int MOST_MINUTES = 15;

    private final Database database;

    /** What may be done only so often within an hour. */
    enum Limit {
        /** By an address of the network. */
        REGISTER(60),
        /** Beginning to sign in elsewhere, by an address of the network. */
        IDENTITY(300),
        /** Asking for e-mail, by an address of the network. */
        EMAIL(30),
        /** E-mail to one address. */
        EMAIL_TO(3);

        private final int most;

        Limit(int most) {
            this.most = most;
        }
    }

    Attempts(Database database) {
        this.database = database;
    }

    /** @throws ApiException 429 while either has to wait */
    void check(String name, String address) {
        Instant until = database.in(
                Tenant.NONE,
                transaction -> transaction.query(
                        "SELECT max(until_ts) FROM control.auth_attempt_t WHERE subject IN (?, ?)",
                        row -> {
                            row.next();
                            OffsetDateTime end = row.getObject(1, OffsetDateTime.class);
                            return end == null ? Instant.EPOCH : end.toInstant();
                        },
                        byName(name),
                        byAddress(address)));
        Duration wait = Duration.between(Instant.now(), until);
        if (wait.isPositive()) {
            throw new ApiException(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "too_many_attempts",
                            "Too many attempts: wait, then try again.")
                    .retryAfter(wait);
        }
    }

    /** One more failure. */
    void failed(String name, String address) {
        count(byName(name), OF_NAME);
        count(byAddress(address), OF_ADDRESS);
    }

    private void count(byte[] subject, int free) {
        database.in(Tenant.NONE, transaction -> transaction.update("""
                        INSERT INTO control.auth_attempt_t AS a (subject, failures, until_ts) VALUES (?, 1, now())
                        ON CONFLICT (subject) DO UPDATE SET
                          failures = CASE WHEN a.until_ts < now() - interval '1 hour' THEN 1 ELSE a.failures + 1 END,
                          until_ts = now() + CASE WHEN a.failures + 1 < ? THEN interval '0'
                            ELSE least(interval '1 second' * power(2, least(a.failures + 1 - ?, 20)), interval '%d minutes') END
                        """.formatted(MOST_MINUTES), subject, free, free));
    }

    /** Right at last: the name is forgiven, the address is not. */
    void succeeded(String name) {
        database.in(
                Tenant.NONE,
                transaction -> transaction.update(
                        "DELETE FROM control.auth_attempt_t WHERE subject = ?", (Object) byName(name)));
    }

    /** Counts something that may be done only so often. @throws ApiException 429 where that was too often */
    void require(Limit limit, String whose) {
        Duration wait = wait(limit, whose);
        if (wait.isPositive()) {
            throw new ApiException(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "too_many_attempts",
                            "Too many came from here: try again later.")
                    .retryAfter(wait);
        }
    }

    /** Counts something that may be done only so often. @return how long to wait; nothing where it may be done now */
    Duration wait(Limit limit, String whose) {
        byte[] subject = Token.hash(limit + " " + whose.toLowerCase(Locale.ROOT));
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
                            return row.getInt("failures") <= limit.most
                                    ? Duration.ZERO
                                    : Duration.between(Instant.now(), Columns.time(row, "until_ts"));
                        },
                        (Object) subject));
    }

    private static byte[] byName(String name) {
        return Token.hash("name " + name.toLowerCase(Locale.ROOT));
    }

    private static byte[] byAddress(String address) {
        return Token.hash("address " + address);
    }
}
