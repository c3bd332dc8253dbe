package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The prepared faults. Used under the lock. */
final class Faults {
    enum Kind {
        FAIL,
        CUT_BEFORE,
        CUT_AFTER,
        HOLD_AFTER
    }

    private static final class Fault {
        private final Kind kind;
        private final String method;
        private final @Nullable ApiError error;
        private int remaining;

        private Fault(Kind kind, String method, int remaining, @Nullable ApiError error) {
            this.kind = kind;
            this.method = method;
            this.remaining = remaining;
            this.error = error;
        }
    }

    private final List<Fault> faults = new ArrayList<>();
    private final Map<String, Duration> slow = new HashMap<>();
    private Instant outageUntil = Instant.MIN;

    void add(Kind kind, String method, int times) {
        faults.add(new Fault(kind, method, times, null));
    }

    void fail(String method, int times, int status, String description, ObjectNode parameters) {
        faults.add(new Fault(Kind.FAIL, method, times, new ApiError(status, description, parameters)));
    }

    void slow(String method, Duration delay) {
        slow.put(method, delay);
    }

    void outage(Instant until) {
        outageUntil = until;
    }

    boolean down(Instant now) {
        return now.isBefore(outageUntil);
    }

    Duration delay(String method) {
        return slow.getOrDefault(method, slow.getOrDefault(FakeTelegram.ANY, Duration.ZERO));
    }

    /** Whether the call is to be held; counts it. */
    boolean hold(String method) {
        Fault fault = next(Kind.HOLD_AFTER, method);
        return fault != null && fault.remaining == 0;
    }

    /** Whether the call is to be cut in this way; counts it. */
    boolean cut(Kind kind, String method) {
        return next(kind, method) != null;
    }

    /** Fails the call if it is to fail; counts it. */
    void failIfTold(String method) {
        Fault fault = next(Kind.FAIL, method);
        if (fault != null && fault.error != null) {
            throw fault.error;
        }
    }

    private @Nullable Fault next(Kind kind, String method) {
        for (Fault fault : faults) {
            if (fault.kind == kind
                    && fault.remaining > 0
                    && (fault.method.equals(FakeTelegram.ANY) || fault.method.equalsIgnoreCase(method))) {
                fault.remaining--;
                return fault;
            }
        }
        return null;
    }
}
