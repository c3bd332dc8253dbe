package dev.parley.agents.model.wire;

import dev.parley.agents.model.CallOwner;
import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.protocol.KeyOwner;
import java.util.Optional;
import java.util.UUID;

/** Keys of providers that people and hosts keep. */
public interface StoredKeys {
    /** There are none. */
    StoredKeys NONE = new StoredKeys() {
        @Override
        public Optional<Stored> usual(CallOwner owner, String provider) {
            return Optional.empty();
        }

        @Override
        public Optional<Stored> named(CallOwner owner, String provider, UUID id) {
            return Optional.empty();
        }
    };

    /** A key that is kept. */
    record Stored(UUID id, KeyOwner owner, String key) {
        /** Without what is secret. */
        @Override
        public String toString() {
            return "Stored[" + id + "]";
        }
    }

    /**
     * The default of the asker for this provider, else that of the host.
     *
     * @throws ModelFailure of the category AUTH when it cannot be opened, LOST when it cannot be read now
     */
    Optional<Stored> usual(CallOwner owner, String provider) throws ModelFailure;

    /**
     * One key for this provider, where it is the asker's or the host's.
     *
     * @throws ModelFailure as {@link #usual} says
     */
    Optional<Stored> named(CallOwner owner, String provider, UUID id) throws ModelFailure;
}
