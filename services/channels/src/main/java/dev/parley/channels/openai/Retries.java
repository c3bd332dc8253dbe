package dev.parley.channels.openai;

import dev.parley.platform.collection.NewestMap;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Names requests that name themselves not. Official clients send a request again after a failure, with a header that says that they do, and
 * no key: the same body of the same caller is the same turn then. Each instance knows what it has been asked itself.
 */
@Singleton
final class Retries {
    private static final int REMEMBERED = 10_000;
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private final LongSupplier nanos;
    private final Map<UUID, Named> named = new NewestMap<>(REMEMBERED);

    private record Named(String reference, long nanos) {}

    Retries() {
        this(System::nanoTime);
    }

    Retries(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * The reference of a request.
     *
     * @param request names the caller, where they ask, and what
     * @param isRetry whether the client says that it asks again
     */
    synchronized String reference(UUID request, boolean isRetry) {
        long now = nanos.getAsLong();
        @Nullable Named before = named.get(request);
        if (isRetry && before != null && now - before.nanos() < LONGEST.toNanos()) {
            return before.reference();
        }
        var fresh = new Named(UUID.randomUUID().toString(), now);
        named.remove(request); // it is the newest again
        named.put(request, fresh);
        return fresh.reference();
    }

    /** A request was refused for good: when it comes again it is another one. */
    synchronized void forget(UUID request) {
        named.remove(request);
    }
}
