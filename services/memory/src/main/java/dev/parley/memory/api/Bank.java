package dev.parley.memory.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.BankProfile;
import dev.parley.memory.JsonColumns;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A memory bank, as stored in its row.
 *
 * @param id of the bank in all tables
 * @param active false where all its content was erased
 * @param seq sequence number of the last event in the tables
 */
record Bank(UUID id, BankRef ref, BankProfile profile, Vectors vectors, boolean active, long seq, Instant updatedAt) {
    static final String COLUMNS =
            "b.host_id, b.bank_id, b.project_key, b.agent, b.agent_id, b.user_id, b.branch, b.bank_name, b.disposition, b.background, b.model, b.generation, b.other_generation, b.other_units,"
                    + " b.active, b.aggregate_version, b.update_ts";

    static Bank of(ResultSet row) throws SQLException {
        JsonNode traits = JsonColumns.json(row, "disposition");
        return new Bank(
                Columns.uuid(row, "bank_id"),
                new BankRef(
                        Columns.uuid(row, "host_id"),
                        row.getString("project_key"),
                        row.getString("agent"),
                        Columns.uuidOrNull(row, "agent_id"),
                        row.getString("user_id"),
                        row.getString("branch")),
                new BankProfile(
                        row.getString("bank_name"),
                        traits.path("skepticism").asInt(),
                        traits.path("literalism").asInt(),
                        traits.path("empathy").asInt(),
                        row.getString("background"),
                        row.getString("model")),
                new Vectors(row.getString("generation"), row.getString("other_generation"), row.getLong("other_units")),
                row.getBoolean("active"),
                row.getLong("aggregate_version"),
                Columns.time(row, "update_ts"));
    }

    /**
     * The embedding models of its vectors.
     *
     * @param generation the model that it is searched by, or null for none yet
     * @param other the second model, whose vectors are kept or being computed, or null
     * @param otherUnits number of units with vectors of that model
     */
    record Vectors(@Nullable String generation, @Nullable String other, long otherUnits) {}

    /** The tenant whose rows a transaction about the bank sees: its project, or its host. */
    Tenant tenant() {
        Tenant host = Tenant.of(ref.host());
        return ref.projectId().map(host::project).orElse(host);
    }
}
