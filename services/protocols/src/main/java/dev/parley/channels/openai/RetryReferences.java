package dev.parley.channels.openai;

import dev.parley.platform.collection.BoundedMap;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * References of requests without an idempotency key. Official clients mark retries with a header: an equal body of the
 * same caller is then the same turn. Each instance only knows its own requests.
 */
@Singleton
final class RetryReferences {
    private static final int MAX_REMEMBERED = 10_000;
    private static final Duration MAX_AGE = Duration.ofMinutes(30);

    private final LongSupplier nanos;
    private final Map<UUID, Named> references = new BoundedMap<>(MAX_REMEMBERED);

    private record Named(String reference, long nanos) {}

    RetryReferences() {
        this(System::nanoTime);
    }

    RetryReferences(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * The reference of a request.
     *
     * @param request identity of caller, route and body
     * @param isRetry whether the client marks it as a retry
     */
    synchronized String reference(UUID request, boolean isRetry) {
        long now = nanos.getAsLong();
        @Nullable Named before = references.get(request);
        if (isRetry && before != null && now - before.nanos() < MAX_AGE.toNanos()) {
            return before.reference();
        }
        var created = new Named(UUID.randomUUID().toString(), now);
        references.remove(request); // makes it the newest entry
        references.put(request, created);
        return created.reference();
    }

    /** Forgets a request that was refused permanently: a repetition is a new request. */
    synchronized void forget(UUID request) {
        references.remove(request);
    }
}
