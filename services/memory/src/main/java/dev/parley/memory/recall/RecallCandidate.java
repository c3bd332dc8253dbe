package dev.parley.memory.recall;

import dev.parley.memory.search.Item;
import java.util.EnumMap;
import java.util.Map;

/** An item found by retrievers, before ranking. */
public final class RecallCandidate {
    private static final Retriever[] EACH = Retriever.values();

    private final int row;
    private final Item item;
    /** By retriever; 0 where it did not find the item. An array, as a query has hundreds of candidates. */
    private final int[] ranks = new int[EACH.length];

    private final double similarity;
    private double bm25;
    private double fused;
    private double connection;

    RecallCandidate(int row, Item item, double similarity) {
        this.row = row;
        this.item = item;
        this.similarity = similarity;
    }

    void addRank(Retriever retriever, int rank, double score, double worth) {
        ranks[retriever.ordinal()] = rank;
        fused += worth;
        if (retriever == Retriever.GRAPH) {
            connection = score;
        }
    }

    RecallCandidate withBm25(double score) {
        bm25 = score;
        return this;
    }

    int row() {
        return row;
    }

    public Item item() {
        return item;
    }

    /** The retrievers that found it, with rank from 1. */
    public Map<Retriever, Integer> ranks() {
        var found = new EnumMap<Retriever, Integer>(Retriever.class);
        for (Retriever retriever : EACH) {
            if (ranks[retriever.ordinal()] > 0) {
                found.put(retriever, ranks[retriever.ordinal()]);
            }
        }
        return found;
    }

    /** Cosine similarity to the query; NaN where a vector is missing or semantic search is off. */
    public double similarity() {
        return similarity;
    }

    /** BM25 score; 0 where keyword search is off. */
    public double bm25() {
        return bm25;
    }

    /** Strength of its links to the best items found: 0 to 3. */
    public double connection() {
        return connection;
    }

    /** Reciprocal rank fusion score. */
    public double fusedScore() {
        return fused;
    }
}
