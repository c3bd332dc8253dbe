package dev.parley.agents.model.wire;

import dev.parley.agents.model.CallOwner;
import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.protocol.origin.KeyOwner;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The providers' keys that users and hosts store. */
@FunctionalInterface
public interface StoredKeys {
    /** No stored keys. */
    StoredKeys NONE = (_, _, _) -> Optional.empty();

    /** A stored key. */
    record Stored(UUID id, KeyOwner owner, String key) {
        /** The id without the key. */
        @Override
        public String toString() {
            return "Stored[" + id + "]";
        }
    }

    /**
     * A key for this provider that belongs to the user or the host of a call.
     *
     * @param id null for the user's default key, else the host's
     * @throws ModelFailure of the category AUTH when it cannot be decrypted, LOST when it cannot be read now
     */
    Optional<Stored> find(CallOwner owner, String provider, @Nullable UUID id) throws ModelFailure;
}
