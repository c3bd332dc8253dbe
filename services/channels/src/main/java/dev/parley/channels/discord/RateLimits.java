package dev.parley.channels.discord;

import dev.parley.platform.collection.NewestMap;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What Discord permits, as its answers tell: each route has a bucket, which it may share with others, one for each channel or guild, and all
 * calls of a bot together have one more.
 *
 * @see <a href="https://docs.discord.com/developers/topics/rate-limits">its reference</a>
 */
final class RateLimits {
    private static final int MOST = 10_000;
    private static final Duration LONGEST = Duration.ofHours(1);

    private final InstantSource clock;
    /** The bucket of a route, as Discord calls it. */
    private final Map<String, String> buckets = new NewestMap<>(MOST);
    /** When the bucket of a place has room again. */
    private final Map<String, Instant> empty = new NewestMap<>(MOST);

    private Instant allUntil = Instant.MIN;

    RateLimits(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A route and the place that it is limited for.
     *
     * @param name the method and the path, with its ids left out
     * @param place the channel, guild or webhook whose it is, or empty
     */
    record Route(String name, String place) {}

    /** How long a call would have to wait; empty where it can be made. */
    synchronized Optional<Duration> left(Route route) {
        Instant now = clock.instant();
        Instant until = empty.getOrDefault(bucket(route), Instant.MIN);
        until = allUntil.isAfter(until) ? allUntil : until;
        return until.isAfter(now) ? Optional.of(Duration.between(now, until)) : Optional.empty();
    }

    /**
     * What an answer says of the bucket of its route.
     *
     * @param bucket its name, or null
     * @param remaining calls that it has left, or null
     * @param resetAfter seconds until it is full again, or null
     */
    synchronized void heard(
            Route route, @Nullable String bucket, @Nullable String remaining, @Nullable String resetAfter) {
        if (bucket != null && bucket.length() <= 100) {
            buckets.put(route.name(), bucket);
        }
        Optional<Duration> wait = seconds(resetAfter);
        if ("0".equals(remaining) && wait.isPresent()) {
            rest(bucket(route), wait.get());
        }
    }

    /** A call came too early. @param all whether no call of the bot may be made */
    synchronized void refused(Route route, Duration wait, boolean all) {
        if (all) {
            Instant until = clock.instant().plus(wait);
            allUntil = until.isAfter(allUntil) ? until : allUntil;
        } else {
            rest(bucket(route), wait);
        }
    }

    private void rest(String bucket, Duration wait) {
        empty.merge(bucket, clock.instant().plus(wait), (a, b) -> a.isAfter(b) ? a : b);
    }

    private String bucket(Route route) {
        return buckets.getOrDefault(route.name(), route.name()) + " " + route.place();
    }

    /** A number of seconds, with or without a fraction; nobody is waited for longer than an hour. */
    static Optional<Duration> seconds(@Nullable String text) {
        if (text == null || !text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
            return Optional.empty();
        }
        Duration wait = Duration.ofMillis((long) Math.ceil(Double.parseDouble(text) * 1_000));
        return Optional.of(wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
    }
}
