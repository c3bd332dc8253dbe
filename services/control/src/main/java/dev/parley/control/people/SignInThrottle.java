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
 * {@value #FREE_BY_NAME} for a name or {@value #FREE_BY_ADDRESS} from an address, whether or not the name exists. Other sign-in requests have
 * hourly limits. Counts are shared by all instances.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class SignInThrottle {
    private static final int FREE_BY_PAIR = 5;
    private static final int FREE_BY_NAME = 50;
    private static final int FREE_BY_ADDRESS = 30;
    private static final int MAX_BACKOFF_MINUTES = 15;

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

    SignInThrottle(Database database) {
        this.database = database;
    }

    /**
     * Counts an attempt before it is made, so that many at once are counted one by one.
     *
     * @param address of the network
     * @throws ApiException 429 while the name, the address or both together have to wait
     */
    void begin(String name, String address) {
        Duration wait = database.in(Tenant.NONE, transaction -> {
            transaction.update("DELETE FROM control.auth_attempt_t WHERE until_ts < now() - interval '2 hours'");
            List<Counted> all = counted(name, address);
            Duration longest = all.stream()
                    .map(one -> locked(transaction, one)) // who waits here asks for the time afterwards
                    .map(until -> Duration.between(Instant.now(), until))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            if (!longest.isPositive()) {
                all.forEach(one -> count(transaction, one));
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

    /** What is counted, and how often it may fail without a wait. */
    private record Counted(byte[] subject, int free) {}

    /** Who knows somebody's name keeps them out from everywhere only with many attempts. */
    private static List<Counted> counted(String name, String address) {
        String network = network(address);
        return List.of(
                new Counted(pair(name, network), FREE_BY_PAIR),
                new Counted(Token.hash("name " + name.toLowerCase(Locale.ROOT)), FREE_BY_NAME),
                new Counted(Token.hash("address " + network), FREE_BY_ADDRESS));
    }

    private static byte[] pair(String name, String network) {
        return Token.hash("pair " + network + " " + name.toLowerCase(Locale.ROOT));
    }

    /** An address of IPv6 stands for its /64, which is what one customer has. */
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

    /** Until when it has to wait. Nobody else counts it before this transaction ends. */
    private static Instant locked(Transaction transaction, Counted one) {
        transaction.update(
                "INSERT INTO control.auth_attempt_t (subject, failures, until_ts) VALUES (?, 0, now()) ON CONFLICT DO NOTHING",
                (Object) one.subject());
        return transaction.query(
                "SELECT until_ts FROM control.auth_attempt_t WHERE subject = ? FOR UPDATE",
                row -> row.next() ? Columns.time(row, "until_ts") : Instant.EPOCH,
                (Object) one.subject());
    }

    private static void count(Transaction transaction, Counted one) {
        transaction.update("""
                UPDATE control.auth_attempt_t a SET failures = n.failures,
                  until_ts = clock_timestamp() + CASE WHEN n.failures < ? THEN interval '0'
                    ELSE least(interval '1 second' * power(2, least(n.failures - ?, 20)), interval '%d minutes') END
                FROM (SELECT subject, CASE WHEN until_ts < now() - interval '1 hour' THEN 1 ELSE failures + 1 END AS failures
                      FROM control.auth_attempt_t WHERE subject = ?) AS n
                WHERE a.subject = n.subject
                """.formatted(MAX_BACKOFF_MINUTES), one.free(), one.free(), one.subject());
    }

    /** Right at last: the name is forgiven at this address, and nothing was a failure. */
    void succeeded(String name, String address) {
        database.in(Tenant.NONE, transaction -> {
            transaction.update(
                    "DELETE FROM control.auth_attempt_t WHERE subject = ?", (Object) pair(name, network(address)));
            for (Counted one : counted(name, address)) {
                transaction.update(
                        "UPDATE control.auth_attempt_t SET failures = failures - 1 WHERE subject = ? AND failures > 0",
                        (Object) one.subject());
            }
            return null;
        });
    }

    /** Counts something that may be done only so often. @throws ApiException 429 where that was too often */
    void require(Limit limit, String whose) {
        Duration wait = wait(limit, whose);
        if (wait.isPositive()) {
            throw new ApiException(
                            HttpStatus.TOO_MANY_REQUESTS, "too_many_attempts", "Too many requests: try again later.")
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
}
