package dev.parley.domain.erasure;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/** What stands on {@code erasures}: what is erased, and who has removed what it kept of it. Ids and names of definitions, and no content. */
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
     * An agent is deleted: its banks of memory end with it.
     *
     * @param agentId it is defined no more under this id; one of the same name afterwards has another one
     * @param name of the agent, behind the key of its project and a slash where it was a project's
     * @param by who deleted it
     */
    record AgentGone(UUID erasure, UUID host, UUID agentId, String name, String by, Instant at)
            implements ErasureRecord {
        /** The id of the erasure of an agent's memory, of which there is one. */
        public static UUID erasure(UUID agentId) {
            return Ids.of("erasure", "agent", agentId);
        }

        @Override
        public String key() {
            return erasure.toString();
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
