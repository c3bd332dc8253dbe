package dev.parley.sessions.api;

import dev.parley.domain.protocol.Usage;
import dev.parley.platform.http.TurnJson.UsageJson;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Converts columns of tokens and costs. */
final class Usages {
    private Usages() {}

    /** @param cost dollars, or null where the price is unknown */
    static UsageJson of(
            long input, long output, long reasoning, long cacheRead, long cacheWrite, @Nullable BigDecimal cost) {
        Long nanos = cost == null ? null : cost.movePointRight(9).longValue();
        return UsageJson.of(new Usage(input, output, reasoning, cacheRead, cacheWrite, nanos));
    }
}
