package dev.parley.memory.api;

import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;

/**
 * A receipt of what a bank has forgotten.
 *
 * @param whole True if the whole bank was forgotten.
 * @param found False if the bank did not have what was to be erased.
 * @param documents Number of documents erased.
 * @param units Number of units erased, including those derived from others.
 * @param requestedBy Id of the person who requested it, or parley.
 * @param erasedAt Time at which it was erased from the bank, its index and these tables.
 * @param logCleanAt Time until which copies may remain in topics that keep records for some days.
 * @param seq Number of the event of the erasure.
 */
@Serdeable
@MappedEntity(value = "agent_memory_erasure_t", schema = "memory")
@Schema(name = "MemoryReceipt")
record ReceiptJson(
        UUID id,
        boolean whole,
        boolean found,
        long documents,
        long units,
        String requestedBy,
        Instant erasedAt,
        Instant logCleanAt,
        long seq) {}
