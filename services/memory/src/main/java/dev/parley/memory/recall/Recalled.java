package dev.parley.memory.recall;

import java.util.List;

/**
 * The answer to a recall query.
 *
 * @param hits the best first; hits that did not fit may be missing in between
 * @param json the hits, in the form for clients and tools
 * @param tokens number of tokens of the JSON
 */
public record Recalled(List<RecallHit> hits, String json, int tokens, Trace trace) {
    public Recalled {
        hits = List.copyOf(hits);
    }
}
