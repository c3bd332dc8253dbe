package dev.parley.memory.api;

import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;

@Serdeable
@MappedEntity(value = "agent_memory_erasure_t", schema = "memory")
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
        long seq) {}
