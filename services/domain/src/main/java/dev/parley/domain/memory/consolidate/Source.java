package dev.parley.domain.memory.consolidate;

import java.time.Instant;
import java.util.List;

/**
 * A fact that observations are made of.
 *
 * @param id of its unit
 * @param text the fact
 * @param entities names of those that it is about
 * @param at when it was said
 * @param event whether it happened at a time: what happened twice was different, and no contradiction
 * @param vector of its text; never changed
 */
public record Source(String id, String text, List<String> entities, Instant at, boolean event, float[] vector) {
    public Source {
        entities = List.copyOf(entities);
    }
}
