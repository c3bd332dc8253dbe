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
 * Protects a provider: a circuit breaker per model, which opens when half of at least 10 calls fail, and a rate limit
 * per host.
 */
final class ProviderCircuitBreaker {
    /** Failures of the provider, as opposed to those of the call. */
    private static final Set<ErrorCategory> PROVIDER_FAILURES =
            Set.of(ErrorCategory.OVERLOADED, ErrorCategory.SERVER, ErrorCategory.NETWORK, ErrorCategory.TIMEOUT);

    /** Default time for which the circuit breaker of a model stays open. */
    static final Duration OPEN_DURATION = Duration.ofSeconds(10);

    private final @Nullable Integer perMinute;
    private final Duration openDuration;
    private final CircuitBreakerConfig rules;
    private final ConcurrentHashMap<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UUID, Bucket> buckets = new ConcurrentHashMap<>();

    /**
     * @param perMinute maximum calls of a host per minute, or null for no limit
     * @param openDuration time for which a circuit breaker stays open
     */
    ProviderCircuitBreaker(@Nullable Integer perMinute, Duration openDuration) {
        this.perMinute = perMinute;
        this.openDuration = openDuration;
        this.rules = CircuitBreakerConfig.custom()
                .slidingWindowSize(20)
                .minimumNumberOfCalls(10)
                .failureRateThreshold(50)
                .waitDurationInOpenState(openDuration)
                .automaticTransitionFromOpenToHalfOpenEnabled(true) // there are no calls while it is open
                .permittedNumberOfCallsInHalfOpenState(3)
                .maxWaitDurationInHalfOpenState(openDuration)
                .build();
    }

    /** Permission for one call, to be ended with its result. */
    static final class Permit {
        private final CircuitBreaker breaker;
        private final long begin;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Permit(CircuitBreaker breaker) {
            this.breaker = breaker;
            this.begin = breaker.getCurrentTimestamp();
        }

        /** The model streams or has answered: the provider works, however long the answer takes. */
        void onAnswered() {
            if (ended.compareAndSet(false, true)) {
                breaker.onSuccess(breaker.getCurrentTimestamp() - begin, breaker.getTimestampUnit());
            }
        }

        /** The call failed. */
        void onFailed(ErrorCategory category) {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            if (PROVIDER_FAILURES.contains(category)) {
                TimeUnit unit = breaker.getTimestampUnit();
                breaker.onError(
                        breaker.getCurrentTimestamp() - begin, unit, new IllegalStateException(category.code()));
            } else {
                breaker.releasePermission();
            }
        }

        /** The result is unknown: the call was cancelled. */
        void release() {
            if (ended.compareAndSet(false, true)) {
                breaker.releasePermission();
            }
        }
    }

    /**
     * The time that a host has to wait before its next call of a model; empty if it may call now, which counts as a
     * call.
     */
    Optional<Duration> pause(UUID host, String model) {
        CircuitBreaker.State state = breaker(model).getState();
        if (state == CircuitBreaker.State.OPEN) {
            return Optional.of(retryDelay());
        }
        Integer callsPerMinute = perMinute;
        if (callsPerMinute == null) {
            return Optional.empty();
        }
        Bucket bucket = buckets.computeIfAbsent(
                host,
                _ -> Bucket.builder()
                        .addLimit(limit ->
                                limit.capacity(callsPerMinute).refillGreedy(callsPerMinute, Duration.ofMinutes(1)))
                        .build());
        var probe = bucket.tryConsumeAndReturnRemaining(1);
        return probe.isConsumed() ? Optional.empty() : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    /** The delay of a rejected call, with jitter. */
    Duration retryDelay() {
        return openDuration.plusMillis(ThreadLocalRandom.current().nextLong(openDuration.toMillis() / 2));
    }

    /** Permission to call this model; empty while its circuit breaker is open. */
    Optional<Permit> permit(String model) {
        CircuitBreaker breaker = breaker(model);
        return breaker.tryAcquirePermission() ? Optional.of(new Permit(breaker)) : Optional.empty();
    }

    private CircuitBreaker breaker(String model) {
        return breakers.computeIfAbsent(model, name -> CircuitBreaker.of(name, rules));
    }
}
