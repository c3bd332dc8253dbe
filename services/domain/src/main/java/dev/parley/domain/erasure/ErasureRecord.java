package dev.parley.domain.erasure;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Records on {@code erasures}: what is erased, and which service has removed its data. Contains ids and names of
 * definitions, no content.
 */
public sealed interface ErasureRecord {
    /** Id of the erasure. */
    UUID erasure();

    /** The tenant. */
    UUID host();

    /** The key on the topic. */
    String key();

    /**
     * A session is erased: every service removes its data about it.
     *
     * @param session its record key
     * @param epochs number of sessions under the key
     * @param banks memory banks that retained content of it
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

        /** The ids of all sessions under the key. */
        public List<UUID> sessionIds() {
            return LongStream.range(0, epochs).mapToObj(session::sessionId).toList();
        }
    }

    /**
     * An agent is deleted, and with it its memory banks.
     *
     * @param agentId unique over re-creation under the same name
     * @param name of the agent, for a project-level agent prefixed with the project's key and a slash
     * @param by the user who deleted it
     */
    record AgentGone(UUID erasure, UUID host, UUID agentId, String name, String by, Instant at)
            implements ErasureRecord {
        /** The id of the erasure of an agent's memory; one per agent. */
        public static UUID erasure(UUID agentId) {
            return Ids.of("erasure", "agent", agentId);
        }

        @Override
        public String key() {
            return erasure.toString();
        }
    }

    /**
     * A service has removed its data.
     *
     * @param service name
     * @param removed number of rows
     */
    record Removed(UUID erasure, UUID host, String service, long removed, Instant at) implements ErasureRecord {
        @Override
        public String key() {
            return erasure + "/" + service;
        }
    }
}
