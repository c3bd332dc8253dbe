package dev.parley.domain.memory.consolidate;

import java.time.Instant;
import java.util.List;

/**
 * A fact as input of consolidation.
 *
 * @param id of its unit
 * @param text the fact
 * @param entities names of the people and objects it is about
 * @param at time of the statement
 * @param event whether the fact happened at a certain time: two such events are different, not contradictory
 * @param vector of the text; never modified
 */
public record FactSource(String id, String text, List<String> entities, Instant at, boolean event, float[] vector) {
    public FactSource {
        entities = List.copyOf(entities);
    }
}
