package dev.parley.domain.memory;

import dev.parley.domain.memory.extract.Entities.Candidate;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The people and things that a bank knows: by what names, and with whom they are mentioned. Not for several threads. */
public final class KnownEntities {
    /** Most of those mentioned together with one that are compared. */
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
        private final Map<String, Integer> names = new TreeMap<>();
        private final Map<String, Integer> nearby = new TreeMap<>();
        private final NavigableMap<Instant, Integer> dates = new TreeMap<>();
        private int mentions;

        Entity(UUID id) {
            this.id = id;
        }

        /** Those mentioned with it most often. */
        Set<String> company() {
            return nearby.size() <= MOST_NEARBY
                    ? nearby.keySet()
                    : nearby.entrySet().stream()
                            .sorted(Map.Entry.<String, Integer>comparingByValue()
                                    .reversed()
                                    .thenComparing(Map.Entry.comparingByKey()))
                            .limit(MOST_NEARBY)
                            .map(Map.Entry::getKey)
                            .collect(Collectors.toSet());
        }

        /** The fullest name that a text gives it which is still known. */
        String name() {
            return names.keySet().stream()
                    .max(Comparator.comparingInt(String::length).thenComparing(Comparator.reverseOrder()))
                    .orElse("");
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
                entity.id.toString(), entity.name(), entity.company(), entity.dates.lastKey(), entity.mentions);
    }

    /** A unit is about these. */
    void mentioned(List<Mention> mentions, Instant date) {
        for (Mention mention : mentions) {
            Entity entity = all.computeIfAbsent(mention.entity(), Entity::new);
            entity.names.merge(mention.name(), 1, Integer::sum);
            entity.mentions++;
            entity.dates.merge(date, 1, Integer::sum);
            words(mention.name())
                    .forEach(word -> byWord.computeIfAbsent(word, _ -> new LinkedHashSet<>())
                            .add(mention.entity()));
            for (String name : others(mention, mentions)) {
                entity.nearby.merge(name, 1, Integer::sum);
            }
        }
    }

    /** A unit of this date that was about these is no more: nor is what it alone said of them. */
    void unmentioned(List<Mention> mentions, Instant date) {
        for (Mention mention : mentions) {
            Entity entity = all.get(mention.entity());
            if (entity == null) {
                continue;
            }
            Set<String> before = words(entity);
            less(entity.names, mention.name());
            less(entity.dates, date);
            others(mention, mentions).forEach(name -> less(entity.nearby, name));
            if (--entity.mentions == 0) {
                all.remove(entity.id);
            }
            before.removeAll(words(entity));
            before.forEach(
                    word -> byWord.getOrDefault(word, new LinkedHashSet<>()).remove(entity.id));
        }
    }

    /** How those are called who are mentioned together with one. */
    private static List<String> others(Mention mention, List<Mention> all) {
        return all.stream()
                .filter(other -> !other.entity().equals(mention.entity()))
                .map(other -> other.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static <K> void less(Map<K, Integer> counts, K key) {
        counts.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    private static Set<String> words(Entity entity) {
        return entity.names.keySet().stream()
                .flatMap(KnownEntities::words)
                .collect(Collectors.toCollection(LinkedHashSet::new));
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
