package dev.parley.domain.memory.consolidate;

import java.time.Instant;
import java.util.List;

/**
 * What several facts say.
 *
 * @param id of its unit
 * @param text of it
 * @param entities names of those that it is about
 * @param sources ids of the facts that say it: as many are its proof
 * @param at when the newest of them was said
 * @param vector of its text; never changed
 */
public record Observation(
        String id, String text, List<String> entities, List<String> sources, Instant at, float[] vector) {
    public Observation {
        entities = List.copyOf(entities);
        sources = List.copyOf(sources);
    }
}
