package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.protocol.Payer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a call is paid with.
 *
 * @param key null where none is needed
 * @param payer whose key it is; null where none is needed
 */
public record Payment(@Nullable String key, @Nullable Payer payer) {
    /** A provider that needs no key. */
    static final Payment NONE = new Payment(null, null);

    /** What is shorter may be a word. */
    private static final int LEAST = 6;

    /** The key as the header in which most providers want it. */
    public Map<String, String> bearer() {
        return key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    }

    /** The failure without the key, which some providers repeat. */
    public ModelFailure blotted(ModelFailure failure) {
        if (key == null || key.length() < LEAST || !failure.detail().contains(key)) {
            return failure;
        }
        return new ModelFailure(
                failure.category(), failure.detail().replace(key, "***"), failure.retryAfter(), failure.partial());
    }

    /** Without what is secret. */
    @Override
    public String toString() {
        return "Payment[" + payer + "]";
    }
}
