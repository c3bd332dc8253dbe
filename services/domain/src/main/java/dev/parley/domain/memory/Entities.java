package dev.parley.domain.memory;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The people and things that a bank knows: by what names, and with whom they are mentioned. Not for several threads. */
public final class Entities {
    /** Most of those mentioned together with one that are remembered. */
    private static final int MOST_NEARBY = 50;

    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private final Map<UUID, Entity> all = new HashMap<>();
    private final Map<String, Set<UUID>> byWord = new HashMap<>();

    /** A person or thing. */
    private static final class Entity {
        private final UUID id;
        private String name;
        private Instant lastSeen;
        private int mentions;
        private final Map<String, Integer> nearby = new TreeMap<>();

        Entity(UUID id, String name, Instant lastSeen) {
            this.id = id;
            this.name = name;
            this.lastSeen = lastSeen;
        }
    }

    /**
     * A person or thing that the bank knows.
     *
     * @param name the fullest one that was written
     * @param nearby lower-case names that were mentioned together with it
     * @param lastSeen newest date of a unit about it
     * @param mentions how many units are about it
     */
    public record Known(UUID id, String name, Set<String> nearby, Instant lastSeen, int mentions) {
        public Known {
            nearby = Set.copyOf(nearby);
        }
    }

    /** Those whose name has a word of this one. */
    public Collection<Known> like(String name) {
        return words(name)
                .flatMap(word -> byWord.getOrDefault(word, Set.of()).stream())
                .distinct()
                .sorted()
                .map(all::get)
                .filter(Objects::nonNull)
                .map(Entities::known)
                .toList();
    }

    /** The one of this id. */
    public Optional<Known> find(UUID id) {
        return Optional.ofNullable(all.get(id)).map(Entities::known);
    }

    /** How many there are. */
    public int size() {
        return all.size();
    }

    private static Known known(Entity entity) {
        return new Known(entity.id, entity.name, entity.nearby.keySet(), entity.lastSeen, entity.mentions);
    }

    /** A unit is about these. */
    void mentioned(List<Mention> mentions, Instant date) {
        for (Mention mention : mentions) {
            Entity entity = all.computeIfAbsent(mention.entity(), id -> new Entity(id, mention.name(), date));
            entity.name = mention.name();
            entity.mentions++;
            entity.lastSeen = date.isAfter(entity.lastSeen) ? date : entity.lastSeen;
            words(mention.name())
                    .forEach(word -> byWord.computeIfAbsent(word, _ -> new LinkedHashSet<>())
                            .add(mention.entity()));
            for (Mention other : mentions) {
                String name = other.name().toLowerCase(Locale.ROOT);
                boolean room = entity.nearby.size() < MOST_NEARBY || entity.nearby.containsKey(name);
                if (!other.entity().equals(mention.entity()) && room) {
                    entity.nearby.merge(name, 1, Integer::sum);
                }
            }
        }
    }

    /** A unit that was about these is no more. */
    void unmentioned(List<UUID> mentions) {
        for (UUID id : mentions) {
            Entity entity = all.get(id);
            if (entity != null && --entity.mentions == 0) {
                all.remove(id);
                words(entity.name)
                        .forEach(word ->
                                byWord.getOrDefault(word, new LinkedHashSet<>()).remove(id));
            }
        }
    }

    void clear() {
        all.clear();
        byWord.clear();
    }

    private static Stream<String> words(String name) {
        return BETWEEN_WORDS.splitAsStream(name.toLowerCase(Locale.ROOT)).filter(word -> !word.isEmpty());
    }
}
