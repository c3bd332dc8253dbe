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

/** Search by meaning (embeddings) and by keywords. */
public final class HybridSearch {
    /** Most vectors that are kept: 1.5 KB each. */
    private static final int MOST = 20_000;

    private static final int BATCH = 32;

    /** What having all the words counts beside the same meaning. */
    private static final double WORDS = 0.5;

    private static final Pattern NOT_IN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private final Embedder embedder;
    private final Map<String, float[]> vectors = new BoundedMap<>(MOST);

    public HybridSearch(Embedder embedder) {
        this.embedder = embedder;
    }

    /**
     * Those that fit a question best, the best first.
     *
     * @param text what is said of a thing: whoever changes it is found by the new one at once
     * @param most how many
     */
    public <T> List<T> find(String question, Collection<T> things, Function<T, String> text, int most) {
        Set<String> texts = things.stream().map(text).collect(Collectors.toCollection(LinkedHashSet::new));
        texts.add(question);
        Map<String, float[]> known = vectors(texts);
        float[] asked = Objects.requireNonNull(known.get(question));
        Set<String> words = words(question);
        record Scored<T>(T thing, double score) {}
        return things.stream()
                .map(thing -> {
                    String said = text.apply(thing);
                    return new Scored<>(
                            thing,
                            dot(asked, Objects.requireNonNull(known.get(said))) + WORDS * share(words, words(said)));
                })
                .sorted(Comparator.comparingDouble((Scored<T> one) -> one.score())
                        .reversed())
                .limit(most)
                .map(Scored::thing)
                .toList();
    }

    /** Nobody waits for more than a few texts of somebody else. */
    private Map<String, float[]> vectors(Set<String> texts) {
        var all = new HashMap<String, float[]>();
        List<String> missing;
        synchronized (vectors) {
            texts.forEach(text -> Optional.ofNullable(vectors.get(text)).ifPresent(vector -> all.put(text, vector)));
            missing = texts.stream().filter(text -> !all.containsKey(text)).toList();
        }
        for (int from = 0; from < missing.size(); from += BATCH) {
            List<String> some = missing.subList(from, Math.min(from + BATCH, missing.size()));
            List<float[]> made = embedder.embed(some);
            synchronized (vectors) {
                for (int i = 0; i < some.size(); i++) {
                    all.put(some.get(i), made.get(i));
                    vectors.put(some.get(i), made.get(i));
                }
            }
        }
        return all;
    }

    private static double dot(float[] one, float[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }

    private static Set<String> words(String text) {
        return Arrays.stream(NOT_IN_WORDS.split(text.toLowerCase(Locale.ROOT)))
                .filter(word -> word.length() > 2)
                .collect(Collectors.toSet());
    }

    private static double share(Set<String> asked, Set<String> said) {
        return asked.isEmpty()
                ? 0
                : (double) asked.stream().filter(said::contains).count() / asked.size();
    }
}
