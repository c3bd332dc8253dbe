package dev.parley.memory.api;

import dev.parley.platform.database.Columns;
import dev.parley.platform.kafka.Topics;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

@Serdeable
@Schema(name = "MemoryReceipt", description = "The receipt of something that a bank has forgotten.")
record ReceiptJson(
        UUID id,

        @Schema(description = "Whether it was all that the bank knew.")
        boolean whole,

        @Schema(description = "false: the bank had no such thing when it was asked for, so nothing is gone.")
        boolean found,

        @Schema(description = "How many documents are gone.")
        long documents,

        @Schema(description = "How many units are gone, with those that were made of others.")
        long units,

        @Schema(description = "Who asked for it: a person's id, or parley.")
        String requestedBy,

        @Schema(description = "When it was gone from the bank, its index and these tables.")
        Instant erasedAt,

        @Schema(description = "Until when it may still stand in topics that keep what they get for some days.")
        Instant logCleanAt,

        @Schema(description = "Number of the event that says so.")
        long seq) {
    static final String COLUMNS =
            "x.erasure_id, x.whole, x.documents, x.units, x.aggregate_version, x.update_ts, x.update_user";

    static ReceiptJson of(ResultSet row) throws SQLException {
        Instant at = Columns.time(row, "update_ts");
        boolean whole = row.getBoolean("whole");
        long documents = row.getLong("documents");
        long units = row.getLong("units");
        return new ReceiptJson(
                Columns.uuid(row, "erasure_id"),
                whole,
                whole || documents + units > 0,
                documents,
                units,
                row.getString("update_user"),
                at,
                at.plus(Topics.logKept()),
                row.getLong("aggregate_version"));
    }
}
