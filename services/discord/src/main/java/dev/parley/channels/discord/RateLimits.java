package dev.parley.channels.discord;

import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Discord's rate limits, as its answers report them: a bucket per route, possibly shared, for each channel or guild,
 * and a global one per bot.
 *
 * @see <a href="https://docs.discord.com/developers/topics/rate-limits">its reference</a>
 */
final class RateLimits {
    private static final int MAX_ROUTES = 10_000;
    private static final Duration MAX_WAIT = Duration.ofHours(1);
    /** Discord blocks an address after 10,000 invalid calls of all its bots in ten minutes. */
    private static final int MAX_INVALID = 1_000;

    private static final Duration PERIOD_OF_INVALID = Duration.ofMinutes(10);

    private final InstantSource clock;
    /** The bucket of a route. */
    private final Map<String, String> buckets = new BoundedMap<>(MAX_ROUTES);
    /** Times from which exhausted buckets have capacity again. */
    private final Map<String, Instant> empty = new BoundedMap<>(MAX_ROUTES);

    /** The times of the last invalid calls. */
    private final Deque<Instant> invalid = new ArrayDeque<>();

    private Instant allUntil = Instant.MIN;

    RateLimits(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A route and its scope.
     *
     * @param name method and path without ids
     * @param place id of the channel, guild or webhook, or empty
     */
    record Route(String name, String place) {
        /** Responses to interactions have no part in the global limit. */
        private boolean isGlobal() {
            return !name.endsWith(" /interactions") && !name.endsWith(" /webhooks");
        }
    }

    /** The wait before a call; empty where it can be made. */
    synchronized Optional<Duration> remainingWait(Route route) {
        Instant now = clock.instant();
        Instant emptyUntil = empty.getOrDefault(bucket(route), Instant.MIN);
        emptyUntil = route.isGlobal() && allUntil.isAfter(emptyUntil) ? allUntil : emptyUntil;
        Instant validFrom =
                invalid.size() < MAX_INVALID ? Instant.MIN : invalid.getFirst().plus(PERIOD_OF_INVALID);
        emptyUntil = validFrom.isAfter(emptyUntil) ? validFrom : emptyUntil;
        return emptyUntil.isAfter(now) ? Optional.of(Duration.between(now, emptyUntil)) : Optional.empty();
    }

    /**
     * Applies the rate limit headers of an answer.
     *
     * @param bucket its name, or null
     * @param remaining calls left, or null
     * @param resetAfter seconds until it is full again, or null
     */
    synchronized void update(
            Route route, @Nullable String bucket, @Nullable String remaining, @Nullable String resetAfter) {
        if (bucket != null && bucket.length() <= 100) {
            buckets.put(route.name(), bucket);
        }
        Optional<Duration> wait = seconds(resetAfter);
        if ("0".equals(remaining) && wait.isPresent()) {
            exhaust(bucket(route), wait.get());
        }
    }

    /** A call was answered with 401, 403 or 429. */
    synchronized void onInvalid() {
        invalid.add(clock.instant());
        if (invalid.size() > MAX_INVALID) {
            invalid.remove();
        }
    }

    /**
     * A call was rate limited.
     *
     * @param isGlobal whether all calls of the bot are rate limited
     */
    synchronized void onRateLimited(Route route, Duration wait, boolean isGlobal) {
        if (isGlobal) {
            Instant limitedUntil = clock.instant().plus(wait);
            allUntil = limitedUntil.isAfter(allUntil) ? limitedUntil : allUntil;
        } else {
            exhaust(bucket(route), wait);
        }
    }

    private void exhaust(String bucket, Duration wait) {
        empty.merge(bucket, clock.instant().plus(wait), (a, b) -> a.isAfter(b) ? a : b);
    }

    private String bucket(Route route) {
        return buckets.getOrDefault(route.name(), route.name()) + " " + route.place();
    }

    /** Seconds, with or without a fraction, at most one hour. */
    static Optional<Duration> seconds(@Nullable String text) {
        if (text == null || !text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
            return Optional.empty();
        }
        Duration wait = Duration.ofMillis((long) Math.ceil(Double.parseDouble(text) * 1_000));
        return Optional.of(wait.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : wait);
    }
}
