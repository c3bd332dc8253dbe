package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of every event of a bank.
 *
 * @param seq number of the event within its bank, gapless from 1: {@code {bank key}#{seq}} is the record's key
 * @param commandId the causing command, or null if a timer or result caused the event
 * @param by author of the command, or null
 */
public record MemoryMeta(
        BankRef bank,
        long seq,
        Instant at,
        @Nullable UUID commandId,
        @Nullable String by) {}
