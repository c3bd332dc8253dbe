package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What every event of a bank carries.
 *
 * @param seq the event's number in the bank's life, dense from 1: {@code {bank key}#{seq}} is the record's key
 * @param commandId of the command that it comes from, or null where time or a result brought it about
 * @param by who wanted it, or null
 */
public record MemoryMeta(
        BankRef bank,
        long seq,
        Instant at,
        @Nullable UUID commandId,
        @Nullable String by) {}
