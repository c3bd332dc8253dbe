package dev.parley.domain.memory.consolidate;

import java.time.Instant;
import java.util.List;

/**
 * An observation: a statement of several facts.
 *
 * @param id of its unit
 * @param text the statement
 * @param entities names of the people and objects it is about
 * @param sources ids of the supporting facts
 * @param at time of the newest of them
 * @param vector of the text; never modified
 */
public record Observation(
        String id, String text, List<String> entities, List<String> sources, Instant at, float[] vector) {
    public Observation {
        entities = List.copyOf(entities);
        sources = List.copyOf(sources);
    }
}
