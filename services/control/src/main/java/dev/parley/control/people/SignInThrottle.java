package dev.parley.control.people;

import dev.parley.control.people.AttemptRows.Attempts;
import dev.parley.domain.Sha256;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Slows down guesses of passwords. Failures of a name from a network are followed by a growing wait; those of a name
 * from everywhere, and those from a network for all names, by a delay of each attempt, never by a refusal: neither can
 * somebody lock an account, nor everybody behind a proxy. A {@linkplain KnownDevices known browser} is counted by
 * itself. It makes no difference whether a name exists. Other sign-in requests have hourly limits. Counts are shared by
 * all instances.
 */
@Singleton
final class SignInThrottle {
    private static final int FREE_BY_PAIR = 5;
    private static final int FREE_BY_NAME = 50;
    private static final int FREE_BY_ADDRESS = 30;
    private static final int FREE_BY_DEVICE = 10;
    private static final Duration MEMORY = Duration.ofHours(1);
    private static final Duration FIRST_DELAY = Duration.ofMillis(250);

    /** 4 s at most. */
    private static final int MAX_DOUBLINGS = 4;

    private final Database database;
    private final AttemptRows rows;
    private final Slowdown slowdown = new Slowdown();

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
     * Counts an attempt before it is made, so that many at once are counted one by one, and delays it where guesses
     * were made before.
     *
     * @param network of the client's address
     * @param device the known browser of the account, or null
     * @throws ApiException 429 while the name from this network must wait, or too many attempts are delayed
     */
    void begin(String name, String network, @Nullable String device) {
        if (device != null
                && database.in(Tenant.NONE, () -> admitted(List.of(ofDevice(device))))
                        .isZero()) {
            return;
        }
        List<Counter> delaying = List.of(ofName(name), ofNetwork(network));
        Admission admission = database.in(Tenant.NONE, () -> {
            rows.deleteEnded();
            Duration wait = admitted(List.of(pair(name, network)));
            return new Admission(wait, wait.isZero() ? counted(delaying) : Duration.ZERO);
        });
        if (admission.refused().isPositive()) {
            throw tooMany("Too many attempts: wait, then try again.", admission.refused());
        }
        slowdown.pause(admission.delay(), List.of("name " + name.toLowerCase(Locale.ROOT), "network " + network));
    }

    static ApiException tooMany(String message, Duration wait) {
        return new ApiException(HttpStatus.TOO_MANY_REQUESTS, "too_many_attempts", message).retryAfter(wait);
    }

    /**
     * Whether an attempt may be made.
     *
     * @param refused time for which it is refused
     * @param delay time for which it is held
     */
    private record Admission(Duration refused, Duration delay) {}

    /**
     * A counter of failures.
     *
     * @param free failures without a delay
     */
    private record Counter(byte[] subject, int free) {}

    private static Counter pair(String name, String network) {
        return new Counter(Sha256.of("pair " + network + " " + name.toLowerCase(Locale.ROOT)), FREE_BY_PAIR);
    }

    private static Counter ofName(String name) {
        return new Counter(Sha256.of("name " + name.toLowerCase(Locale.ROOT)), FREE_BY_NAME);
    }

    private static Counter ofNetwork(String network) {
        return new Counter(Sha256.of("address " + network), FREE_BY_ADDRESS);
    }

    private static Counter ofDevice(String device) {
        return new Counter(Sha256.of("device " + device), FREE_BY_DEVICE);
    }

    /** Counts an attempt unless it must wait; returns the wait. */
    private Duration admitted(List<Counter> counters) {
        Duration longest = counters.stream()
                .map(this::locked) // may wait for the lock: read the clock afterwards
                .map(attempts -> Duration.between(Instant.now(), attempts.untilTs()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        if (longest.isPositive()) {
            return longest;
        }
        counters.forEach(counter -> rows.count(counter.subject(), counter.free()));
        return Duration.ZERO;
    }

    /** Counts an attempt; returns its delay, which doubles with each failure after the free ones. */
    private Duration counted(List<Counter> counters) {
        int over = 0;
        for (Counter counter : counters) {
            Attempts before = locked(counter);
            boolean recent = before.untilTs().isAfter(Instant.now().minus(MEMORY));
            over = Math.max(over, recent ? before.failures() - counter.free() : 0);
            rows.count(counter.subject(), Integer.MAX_VALUE); // not refused, so until when does not grow
        }
        return over <= 0 ? Duration.ZERO : FIRST_DELAY.multipliedBy(1L << Math.min(over - 1, MAX_DOUBLINGS));
    }

    /** A counter, which is locked until the transaction ends. */
    private Attempts locked(Counter counter) {
        rows.insert(counter.subject());
        return rows.locked(counter.subject()).orElseGet(() -> new Attempts(counter.subject(), 0, Instant.EPOCH));
    }

    /** Resets the counters of the pair and the browser, and takes the attempt back from the others. */
    void onSucceeded(String name, String network, @Nullable String device) {
        database.in(Tenant.NONE, () -> {
            rows.delete(pair(name, network).subject());
            rows.takeBack(ofName(name).subject());
            rows.takeBack(ofNetwork(network).subject());
            if (device != null) {
                rows.delete(ofDevice(device).subject());
            }
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
            throw tooMany("Too many requests: try again later.", wait);
        }
    }

    /** Counts a request; returns the remaining delay, which is zero within the limit. */
    Duration count(Limit limit, String subject) {
        byte[] hash = Sha256.of(limit + " " + subject.toLowerCase(Locale.ROOT));
        Attempts requests = database.in(Tenant.NONE, () -> rows.countRequest(hash));
        return requests.failures() <= limit.max ? Duration.ZERO : Duration.between(Instant.now(), requests.untilTs());
    }
}
