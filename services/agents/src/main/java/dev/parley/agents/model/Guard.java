package dev.parley.agents.model;

import dev.parley.domain.turn.ErrorCategory;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps calls away from a provider that cannot take them: one that fails all the time is left alone for a while, and each
 * host asks no more often than its share.
 */
final class Guard {
    /** What says something about the provider, and not about the call. */
    private static final Set<ErrorCategory> ITS_FAULT =
            Set.of(ErrorCategory.OVERLOADED, ErrorCategory.SERVER, ErrorCategory.NETWORK, ErrorCategory.TIMEOUT);

    private static final Duration ALONE = Duration.ofSeconds(10);
    private static final CircuitBreakerConfig BREAKER = CircuitBreakerConfig.custom()
            .slidingWindowSize(20)
            .minimumNumberOfCalls(10)
            .failureRateThreshold(50)
            .waitDurationInOpenState(ALONE)
            .permittedNumberOfCallsInHalfOpenState(3)
            .build();

    private final CircuitBreaker breaker;
    private final @Nullable Integer perMinute;
    private final ConcurrentHashMap<UUID, Bucket> buckets = new ConcurrentHashMap<>();

    /** @param perMinute the calls that one host may make in a minute, or null for any number */
    Guard(String provider, @Nullable Integer perMinute) {
        this.breaker = CircuitBreaker.of(provider, BREAKER);
        this.perMinute = perMinute;
    }

    /** How long a host has to wait before its next call; empty when it may call now, and then it has. */
    Optional<Duration> wait(UUID host) {
        Integer most = perMinute;
        if (most == null) {
            return Optional.empty();
        }
        Bucket bucket = buckets.computeIfAbsent(
                host,
                _ -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(most).refillGreedy(most, Duration.ofMinutes(1)))
                        .build());
        var probe = bucket.tryConsumeAndReturnRemaining(1);
        return probe.isConsumed() ? Optional.empty() : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    /** A call that is made through a guard. */
    @FunctionalInterface
    interface Call {
        ModelAnswer make() throws ModelFailure, InterruptedException;
    }

    /** Makes a call, unless the provider is being left alone. */
    ModelAnswer make(Call call) throws ModelFailure, InterruptedException {
        if (!breaker.tryAcquirePermission()) {
            throw new ModelFailure(
                    ErrorCategory.OVERLOADED,
                    "the provider '%s' has failed too often and is left alone for a while".formatted(breaker.getName()),
                    ALONE,
                    List.of());
        }
        long begin = breaker.getCurrentTimestamp();
        boolean itsFault = false;
        boolean answered = false;
        try {
            ModelAnswer answer = call.make();
            answered = true;
            return answer;
        } catch (ModelFailure e) {
            itsFault = ITS_FAULT.contains(e.category());
            throw e;
        } finally {
            long took = breaker.getCurrentTimestamp() - begin;
            TimeUnit unit = breaker.getTimestampUnit();
            if (itsFault) {
                breaker.onError(took, unit, new IllegalStateException("failed"));
            } else if (answered) {
                breaker.onSuccess(took, unit);
            } else {
                breaker.releasePermission();
            }
        }
    }
}
