package dev.parley.memory.api;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.BankProfile;
import dev.parley.platform.database.Tenant;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A memory bank, as stored in its row.
 *
 * @param id of the bank in all tables
 * @param generation the embedding model that it is searched by, or null for none yet
 * @param otherGeneration the second model, whose vectors are kept or being computed, or null
 * @param otherUnits number of units with vectors of that model
 * @param active false where all its content was erased
 * @param seq sequence number of the last event in the tables
 */
@MappedEntity(value = "agent_memory_bank_t", schema = "memory")
record Bank(
        @MappedProperty("host_id") UUID host,
        @Id @MappedProperty("bank_id") UUID id,
        @Nullable String projectKey,
        @Nullable String agent,
        @Nullable UUID agentId,
        @Nullable String userId,
        @Nullable String branch,
        String bankName,
        @TypeDef(type = DataType.JSON) Traits disposition,
        @Nullable String background,
        @Nullable String model,
        @Nullable String generation,
        @Nullable String otherGeneration,
        long otherUnits,
        boolean active,
        @MappedProperty("aggregate_version") long seq,
        @MappedProperty("update_ts") Instant updatedAt) {
    /** The traits of its reflections. */
    @Serdeable
    record Traits(int skepticism, int literalism, int empathy) {}

    BankRef ref() {
        return new BankRef(host, projectKey, agent, agentId, userId, branch);
    }

    BankProfile profile() {
        return new BankProfile(
                bankName, disposition.skepticism(), disposition.literalism(), disposition.empathy(), background, model);
    }

    /** The tenant whose rows a transaction about the bank sees: its project, or its host. */
    Tenant tenant() {
        Tenant tenant = Tenant.of(host);
        return ref().projectId().map(tenant::project).orElse(tenant);
    }
}
