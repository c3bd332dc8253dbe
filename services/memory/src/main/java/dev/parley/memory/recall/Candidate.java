package dev.parley.memory.recall;

import dev.parley.memory.search.Item;
import java.util.EnumMap;
import java.util.Map;

/** Something that an arm found, on its way to the answer. */
public final class Candidate {
    private static final Retriever[] EACH = Retriever.values();
    private static final int ARMS = EACH.length;

    private final int row;
    private final Item item;
    /** By arm; 0 where it did not find it. A question has hundreds of candidates, and an answer some. */
    private final int[] ranks = new int[ARMS];

    private final double closeness;
    private double weight;
    private double fused;
    private double connection;

    Candidate(int row, Item item, double closeness) {
        this.row = row;
        this.item = item;
        this.closeness = closeness;
    }

    void found(Retriever arm, int rank, double score, double worth) {
        ranks[arm.ordinal()] = rank;
        fused += worth;
        if (arm == Retriever.GRAPH) {
            connection = score;
        }
    }

    Candidate weighing(double itsWeight) {
        weight = itsWeight;
        return this;
    }

    int row() {
        return row;
    }

    public Item item() {
        return item;
    }

    /** Which arms found it, and at which rank, from 1. */
    public Map<Retriever, Integer> ranks() {
        var found = new EnumMap<Retriever, Integer>(Retriever.class);
        for (Retriever arm : EACH) {
            if (ranks[arm.ordinal()] > 0) {
                found.put(arm, ranks[arm.ordinal()]);
            }
        }
        return found;
    }

    /** The cosine of its vector and the question's; NaN where one of them is missing, or nothing is to be found by meaning. */
    public double closeness() {
        return closeness;
    }

    /** What the question's words weigh in it: BM25; 0 where nothing is to be found by words. */
    public double weight() {
        return weight;
    }

    /** How strongly it is connected with the best that was found: 0 to 3. */
    public double connection() {
        return connection;
    }

    /** What its ranks are worth together. */
    public double fused() {
        return fused;
    }
}
