package dev.parley.domain.memory.index;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The units and reflections of a bank that are derived from others or from documents, by source. Not thread-safe. */
final class Derivations {
    private final Map<UUID, Set<UUID>> bySource = new HashMap<>();

    Set<UUID> of(UUID source) {
        return Set.copyOf(bySource.getOrDefault(source, Set.of()));
    }

    void add(UUID derived, Collection<UUID> sources) {
        sources.forEach(source ->
                bySource.computeIfAbsent(source, _ -> new LinkedHashSet<>()).add(derived));
    }

    void remove(UUID derived, Collection<UUID> sources) {
        sources.forEach(
                source -> bySource.getOrDefault(source, new LinkedHashSet<>()).remove(derived));
    }

    void removeSource(UUID source) {
        bySource.remove(source);
    }

    void clear() {
        bySource.clear();
    }
}
