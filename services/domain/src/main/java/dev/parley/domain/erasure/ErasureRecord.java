package dev.parley.domain.erasure;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.BankRef;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/** What stands on {@code erasures}: that a session is erased, and who has removed what it kept of it. Ids, and no content. */
public sealed interface ErasureRecord {
    /** The id under which it was asked for. */
    UUID erasure();

    /** Id of the tenant. */
    UUID host();

    /** Its key on the topic. */
    String key();

    /**
     * A session is erased: every service that keeps anything of it removes that.
     *
     * @param session its record key
     * @param epochs how many sessions there were under the key
     * @param banks of memory that remembered something of it
     */
    record SessionGone(UUID erasure, UUID host, RecordKey session, long epochs, Instant at, List<BankRef> banks)
            implements ErasureRecord {
        public SessionGone {
            banks = List.copyOf(banks);
        }

        @Override
        public String key() {
            return erasure.toString();
        }

        /** The ids of all sessions that there were under the key. */
        public List<UUID> sessionIds() {
            return LongStream.range(0, epochs).mapToObj(session::sessionId).toList();
        }
    }

    /**
     * A service has removed what it kept.
     *
     * @param service its name
     * @param removed how many rows
     */
    record Removed(UUID erasure, UUID host, String service, long removed, Instant at) implements ErasureRecord {
        @Override
        public String key() {
            return erasure + "/" + service;
        }
    }
}
