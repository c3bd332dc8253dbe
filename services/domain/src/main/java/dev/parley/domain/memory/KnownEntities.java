package dev.parley.domain.memory;

import dev.parley.domain.memory.extract.Entities.Candidate;
import java.time.Instant;
import java.util.Comparator;
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
public final class KnownEntities {
    /** Most of those mentioned together with one that are remembered. */
    private static final int MOST_NEARBY = 50;

    /** Most that are compared with a new name. */
    private static final int MOST_ALIKE = 200;

    /** Characters of a word by which it is found. */
    private static final int BEGINNING = 3;

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

    /** Those of whose name a word begins as a word of this one does, the most often mentioned first; at most 200. */
    public List<Candidate> like(String name) {
        return words(name)
                .flatMap(word -> byWord.getOrDefault(word, Set.of()).stream())
                .distinct()
                .sorted()
                .map(all::get)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingInt((Entity entity) -> -entity.mentions)
                        .thenComparing(entity -> entity.id))
                .limit(MOST_ALIKE)
                .map(KnownEntities::candidate)
                .toList();
    }

    /** The one of this id. */
    public Optional<Candidate> find(UUID id) {
        return Optional.ofNullable(all.get(id)).map(KnownEntities::candidate);
    }

    /** How many there are. */
    public int size() {
        return all.size();
    }

    private static Candidate candidate(Entity entity) {
        return new Candidate(
                entity.id.toString(), entity.name, entity.nearby.keySet(), entity.lastSeen, entity.mentions);
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

    /** How the words of a name begin. */
    private static Stream<String> words(String name) {
        return BETWEEN_WORDS
                .splitAsStream(name.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .map(word -> word.substring(0, Math.min(BEGINNING, word.length())))
                .distinct();
    }
}
