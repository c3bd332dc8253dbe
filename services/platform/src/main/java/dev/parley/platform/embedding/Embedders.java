package dev.parley.platform.embedding;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The embedding models by name. Thread-safe. */
public final class Embedders {
    /** Names of the bundled models. */
    public static final Set<String> ALL = Set.copyOf(bundled().keySet());

    private final Map<String, Embedder> embedders;
    private final Embedder first;

    private Embedders(Map<String, Embedder> embedders, Embedder first) {
        this.embedders = embedders;
        this.first = first;
    }

    private static Map<String, Embedder> bundled() {
        return byName(MiniLm.SHARED, new HashedWords());
    }

    private static Map<String, Embedder> byName(Embedder... embedders) {
        return Arrays.stream(embedders).collect(Collectors.toMap(Embedder::name, Function.identity()));
    }

    /**
     * The bundled models.
     *
     * @param name of the default model
     * @throws IllegalArgumentException if it is unknown
     */
    public static Embedders with(String name) {
        Map<String, Embedder> embedders = bundled();
        return new Embedders(embedders, find(embedders, name));
    }

    /**
     * These models.
     *
     * @param first the default
     */
    public static Embedders of(Embedder first, Embedder... others) {
        var embedders = new HashMap<>(byName(others));
        embedders.put(first.name(), first);
        return new Embedders(Map.copyOf(embedders), first);
    }

    /** Names of the models. */
    public Set<String> names() {
        return embedders.keySet();
    }

    /**
     * The model with this name, or the default for null.
     *
     * @throws IllegalArgumentException if it is unknown
     */
    public Embedder of(@Nullable String name) {
        return name == null ? first : find(embedders, name);
    }

    private static Embedder find(Map<String, Embedder> embedders, String name) {
        Embedder found = embedders.get(name);
        if (found == null) {
            throw new IllegalArgumentException("there is no model '%s' for vectors; there are %s"
                    .formatted(name, new TreeSet<>(embedders.keySet())));
        }
        return found;
    }
}
