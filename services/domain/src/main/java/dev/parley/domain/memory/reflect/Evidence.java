package dev.parley.domain.memory.reflect;

import dev.parley.domain.memory.FactType;
import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A piece of evidence for an answer.
 *
 * @param id of the unit or passage
 * @param confidence of an opinion, from 0 to 1; null for other types
 * @param occurred time of the event, or null
 * @param mentioned time of the statement
 */
public record Evidence(
        String id,
        FactType type,
        String text,
        @Nullable Double confidence,
        @Nullable TimeSpan occurred,
        Instant mentioned) {}
