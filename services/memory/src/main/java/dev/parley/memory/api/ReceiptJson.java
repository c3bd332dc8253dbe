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
@Schema(name = "MemoryReceipt", description = "A receipt of what a bank has forgotten.")
record ReceiptJson(
        UUID id,

        @Schema(description = "True if the whole bank was forgotten.")
        boolean whole,

        @Schema(description = "False if the bank did not have what was to be erased.")
        boolean found,

        @Schema(description = "Number of documents erased.") long documents,

        @Schema(description = "Number of units erased, including those derived from others.")
        long units,

        @Schema(description = "Id of the person who requested it, or parley.")
        String requestedBy,

        @Schema(description = "Time at which it was erased from the bank, its index and these tables.")
        Instant erasedAt,

        @Schema(description = "Time until which copies may remain in topics that keep records for some days.")
        Instant logCleanAt,

        @Schema(description = "Number of the event of the erasure.")
        long seq) {
    static final String COLUMNS =
            "x.erasure_id, x.whole, x.documents, x.units, x.aggregate_version, x.update_ts, x.update_user";

    static ReceiptJson of(ResultSet row) throws SQLException {
        Instant time = Columns.time(row, "update_ts");
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
                time,
                time.plus(Topics.logKept()),
                row.getLong("aggregate_version"));
    }
}
