package dev.parley.agents.model;

import dev.parley.domain.protocol.ErrorCategory;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps calls away from a provider that cannot take them: a model that fails all the time is left alone for a while, and
 * each host asks no more often than its share.
 */
final class ProviderCircuitBreaker {
    /** What says something about the provider, and not about the call. */
    private static final Set<ErrorCategory> ITS_FAULT =
            Set.of(ErrorCategory.OVERLOADED, ErrorCategory.SERVER, ErrorCategory.NETWORK, ErrorCategory.TIMEOUT);

    /** How long a model is left alone, as a rule. */
    static final Duration ALONE = Duration.ofSeconds(10);

    private final @Nullable Integer perMinute;
    private final Duration alone;
    private final CircuitBreakerConfig rules;
    private final ConcurrentHashMap<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UUID, Bucket> buckets = new ConcurrentHashMap<>();

    /**
     * @param perMinute the calls that one host may make in a minute, or null for any number
     * @param alone how long a model is left alone
     */
    ProviderCircuitBreaker(@Nullable Integer perMinute, Duration alone) {
        this.perMinute = perMinute;
        this.alone = alone;
        this.rules = CircuitBreakerConfig.custom()
                .slidingWindowSize(20)
                .minimumNumberOfCalls(10)
                .failureRateThreshold(50)
                .waitDurationInOpenState(alone)
                .automaticTransitionFromOpenToHalfOpenEnabled(true) // nobody knocks while it is open
                .permittedNumberOfCallsInHalfOpenState(3)
                .maxWaitDurationInHalfOpenState(alone)
                .build();
    }

    /** A call that may be made, until it is known what became of it. */
    static final class Permit {
        private final CircuitBreaker breaker;
        private final long begin;
        private final AtomicBoolean settled = new AtomicBoolean();

        private Permit(CircuitBreaker breaker) {
            this.breaker = breaker;
            this.begin = breaker.getCurrentTimestamp();
        }

        /** The model speaks, or has answered. However long that takes, the provider is well. */
        void answered() {
            if (settled.compareAndSet(false, true)) {
                breaker.onSuccess(breaker.getCurrentTimestamp() - begin, breaker.getTimestampUnit());
            }
        }

        /** The call failed. */
        void failed(ErrorCategory category) {
            if (!settled.compareAndSet(false, true)) {
                return;
            }
            if (ITS_FAULT.contains(category)) {
                TimeUnit unit = breaker.getTimestampUnit();
                breaker.onError(
                        breaker.getCurrentTimestamp() - begin, unit, new IllegalStateException(category.code()));
            } else {
                breaker.releasePermission();
            }
        }

        /** Nobody knows: the call was cancelled. */
        void givenUp() {
            if (settled.compareAndSet(false, true)) {
                breaker.releasePermission();
            }
        }
    }

    /** How long a host has to wait before its next call of a model; empty when it may call now, and then it has. */
    Optional<Duration> pause(UUID host, String model) {
        CircuitBreaker.State state = breaker(model).getState();
        if (state == CircuitBreaker.State.OPEN) {
            return Optional.of(rest());
        }
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

    /** How long somebody who was turned away waits: not all of them equally long. */
    Duration rest() {
        return alone.plusMillis(ThreadLocalRandom.current().nextLong(alone.toMillis() / 2));
    }

    /** A call of this model; empty while the model is left alone. */
    Optional<Permit> permit(String model) {
        CircuitBreaker breaker = breaker(model);
        return breaker.tryAcquirePermission() ? Optional.of(new Permit(breaker)) : Optional.empty();
    }

    private CircuitBreaker breaker(String model) {
        return breakers.computeIfAbsent(model, name -> CircuitBreaker.of(name, rules));
    }
}
