package dev.parley.platform.embedding;

import dev.parley.platform.collection.BoundedMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Search by embeddings and keywords. */
public final class HybridSearch {
    /** Maximum number of cached vectors, 1.5 KB each. */
    private static final int MAX_VECTORS = 20_000;

    private static final int BATCH = 32;

    /** Weight of keywords relative to embeddings. */
    private static final double KEYWORD_WEIGHT = 0.5;

    private static final Pattern NOT_IN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private final Embedder embedder;
    private final Map<String, float[]> vectors = new BoundedMap<>(MAX_VECTORS);

    public HybridSearch(Embedder embedder) {
        this.embedder = embedder;
    }

    /**
     * The best matches of a query, best first.
     *
     * @param text the searched text of an item
     * @param limit maximum number of results
     */
    public <T> List<T> find(String query, Collection<T> items, Function<T, String> text, int limit) {
        Set<String> texts = items.stream().map(text).collect(Collectors.toCollection(LinkedHashSet::new));
        texts.add(query);
        Map<String, float[]> embedded = vectors(texts);
        float[] queryVector = Objects.requireNonNull(embedded.get(query));
        Set<String> keywords = words(query);
        record Scored<T>(T item, double score) {}
        return items.stream()
                .map(item -> {
                    String itemText = text.apply(item);
                    double similarity = dot(queryVector, Objects.requireNonNull(embedded.get(itemText)));
                    return new Scored<>(item, similarity + KEYWORD_WEIGHT * share(keywords, words(itemText)));
                })
                .sorted(Comparator.comparingDouble((Scored<T> scored) -> scored.score())
                        .reversed())
                .limit(limit)
                .map(Scored::item)
                .toList();
    }

    /** Embeds in small batches without the lock, so that concurrent searches wait briefly. */
    private Map<String, float[]> vectors(Set<String> texts) {
        var vectorsByText = new HashMap<String, float[]>();
        List<String> missing;
        synchronized (vectors) {
            texts.forEach(text ->
                    Optional.ofNullable(vectors.get(text)).ifPresent(vector -> vectorsByText.put(text, vector)));
            missing = texts.stream()
                    .filter(text -> !vectorsByText.containsKey(text))
                    .toList();
        }
        for (int from = 0; from < missing.size(); from += BATCH) {
            List<String> batch = missing.subList(from, Math.min(from + BATCH, missing.size()));
            List<float[]> embedded = embedder.embed(batch);
            synchronized (vectors) {
                for (int i = 0; i < batch.size(); i++) {
                    vectorsByText.put(batch.get(i), embedded.get(i));
                    vectors.put(batch.get(i), embedded.get(i));
                }
            }
        }
        return vectorsByText;
    }

    private static double dot(float[] left, float[] right) {
        double sum = 0;
        for (int i = 0; i < left.length; i++) {
            sum += left[i] * right[i];
        }
        return sum;
    }

    private static Set<String> words(String text) {
        return Arrays.stream(NOT_IN_WORDS.split(text.toLowerCase(Locale.ROOT)))
                .filter(word -> word.length() > 2)
                .collect(Collectors.toSet());
    }

    private static double share(Set<String> keywords, Set<String> words) {
        return keywords.isEmpty()
                ? 0
                : (double) keywords.stream().filter(words::contains).count() / keywords.size();
    }
}
