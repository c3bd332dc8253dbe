package dev.parley.bench;

import dev.parley.domain.memory.FactType;
import dev.parley.memory.recall.RecallQuestion;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.ItemKind;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Memory units derived from their numbers: embeddings in clusters, and words with the frequencies of a language. */
final class SyntheticUnits {
    /** The time of the first unit. */
    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private static final int DIMENSIONS = 384;
    private static final int UNITS_PER_CLUSTER = 100;
    private static final int CLUSTERS_PER_TOPIC = 20;
    private static final int VOCABULARY = 50_000;
    private static final int UNIT_WORDS = 20;
    private static final int QUESTION_WORDS = 7;
    private static final double CLUSTER_DISTANCE = 0.8;
    private static final double NOISE = 0.6;

    private final long seed;
    private final int clusters;
    private final int entities;

    SyntheticUnits(long seed, int units) {
        this.seed = seed;
        clusters = Math.max(10, units / UNITS_PER_CLUSTER);
        entities = Math.max(10, units / 20);
    }

    record Unit(Item item, Embedding embedding) {}

    Unit unit(int number) {
        var random = new SplittableRandom(seed * 1_000_003 + number);
        Embedding embedding = embedding(random);
        Item item = Item.of(
                        "u%08d".formatted(number),
                        ItemKind.UNIT,
                        FactType.WORLD,
                        text(UNIT_WORDS, random),
                        time(number))
                .at(null, time(number))
                .withEntities(List.of("e" + zipf(entities, random), "e" + zipf(entities, random)));
        return new Unit(item, embedding);
    }

    Instant time(int number) {
        return START.plusSeconds(number * 60L);
    }

    RecallQuestion question(SplittableRandom random) {
        return RecallQuestion.of(text(QUESTION_WORDS, random), embedding(random));
    }

    /** An embedding in any of the clusters, which are close to each other within a topic. */
    Embedding embedding(SplittableRandom random) {
        int cluster = random.nextInt(clusters);
        var topic = new SplittableRandom(seed * 104_729 + cluster / CLUSTERS_PER_TOPIC);
        var centre = new SplittableRandom(seed * 7_919 + cluster);
        float[] vector = new float[DIMENSIONS];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) (gauss(topic) + CLUSTER_DISTANCE * gauss(centre) + NOISE * gauss(random));
        }
        return new Embedding("made", vector);
    }

    /** A fast approximation of a normal distribution. */
    private static double gauss(SplittableRandom random) {
        return random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
    }

    private static String text(int length, SplittableRandom random) {
        return Stream.generate(() -> "w" + zipf(VOCABULARY, random))
                .limit(length)
                .collect(Collectors.joining(" "));
    }

    /** Returns the number n about 1/n times as often as the number 1. */
    private static int zipf(int limit, SplittableRandom random) {
        return (int) Math.exp(random.nextDouble() * Math.log(limit));
    }
}
