package dev.parley.memory.recall;

import java.util.List;

/**
 * An answer.
 *
 * @param hits the best first; some that had no room may be left out between them
 * @param json the hits as clients and tools get them
 * @param tokens how many tokens the JSON has
 */
public record Recalled(List<RecallHit> hits, String json, int tokens, Trace trace) {
    public Recalled {
        hits = List.copyOf(hits);
    }
}
