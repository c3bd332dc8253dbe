package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.protocol.origin.Payer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The key of a call and its owner.
 *
 * @param key null if none is needed
 * @param payer the owner of the key; null if none is needed
 */
public record Payment(@Nullable String key, @Nullable Payer payer) {
    /** A provider that needs no key. */
    static final Payment NONE = new Payment(null, null);

    /** Shorter keys are not redacted: they may be ordinary words. */
    private static final int MIN_REDACTED = 6;

    /** The authorisation header with the key; empty without a key. */
    public Map<String, String> bearer() {
        return key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    }

    /**
     * The failure with the key redacted: some providers echo it. Its cause, which may contain the key too, is left out.
     */
    public ModelFailure redact(ModelFailure failure) {
        if (key == null || key.length() < MIN_REDACTED || !failure.detail().contains(key)) {
            return failure;
        }
        return new ModelFailure(
                failure.category(), failure.detail().replace(key, "***"), failure.retryAfter(), failure.partial());
    }

    /** The payer without the key. */
    @Override
    public String toString() {
        return "Payment[" + payer + "]";
    }
}
