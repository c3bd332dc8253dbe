package dev.parley.domain.memory.index;

import dev.parley.domain.memory.Mention;
import dev.parley.language.text.Entities.Candidate;
import dev.parley.language.text.Entities.Name;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The entities of a bank: their names, and which are mentioned together. Not thread-safe. */
public final class KnownEntities {
    /** Maximum entities examined per word of a new name. */
    private static final int MAX_EXAMINED = 200;

    /** Number of leading characters by which words are indexed. */
    private static final int BEGINNING = 3;

    private static final Comparator<Entity> MOST_MENTIONED_FIRST = Comparator.comparingInt(Entity::mentions)
            .reversed()
            .thenComparing(entity -> entity.name().text())
            .thenComparing(Entity::id);

    private static final Comparator<Name> FULLEST = Comparator.comparingInt(
                    (Name name) -> name.text().length())
            .thenComparing(Name::text, Comparator.reverseOrder());

    private final Map<UUID, Entity> all = new HashMap<>();
    private final Map<String, Ranking> byKey = new HashMap<>();
    private final Map<String, Ranking> byBeginning = new HashMap<>();

    /** A person or object. */
    private static final class Entity implements Candidate {
        private final UUID id;
        private final Map<Name, Integer> names = new HashMap<>();
        private final Map<String, Integer> nearby = new HashMap<>();
        private final NavigableMap<Instant, Integer> dates = new TreeMap<>();
        private Name name = Name.of("");
        private int mentions;

        Entity(UUID id) {
            this.id = id;
        }

        @Override
        public UUID id() {
            return id;
        }

        /** The fullest name in any current unit. */
        @Override
        public Name name() {
            return name;
        }

        @Override
        public boolean wasBeside(String key) {
            return nearby.containsKey(key);
        }

        @Override
        public Instant lastSeen() {
            return dates.lastKey();
        }

        @Override
        public int mentions() {
            return mentions;
        }

        /** Counts a mention, or removes one. */
        void count(Name mentionedName, Instant date, List<Name> otherNames, int by) {
            add(names, mentionedName, by);
            add(dates, date, by);
            otherNames.forEach(other -> add(nearby, other.key(), by));
            mentions += by;
            if (by < 0 ? !names.containsKey(name) : FULLEST.compare(mentionedName, name) > 0) {
                name = names.keySet().stream().max(FULLEST).orElse(name);
            }
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Entity entity
                    && id.equals(entity.id)
                    && mentions == entity.mentions
                    && name.equals(entity.name)
                    && names.equals(entity.names)
                    && nearby.equals(entity.nearby)
                    && dates.equals(entity.dates);
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }

        @Override
        public String toString() {
            return id + " " + names + " beside " + nearby;
        }

        private static <K> void add(Map<K, Integer> counts, K key, int by) {
            counts.merge(key, by, (count, change) -> count + change == 0 ? null : count + change);
        }
    }

    /** Entities ordered by number of mentions, with a compact signature of each name that avoids most comparisons. */
    private static final class Ranking {
        private static final int FIRST = (1 << 24) - 1;

        private final List<Entity> entities = new ArrayList<>();
        private long[] signatures = {};

        void add(Entity entity) {
            int index = -find(entity) - 1;
            int size = entities.size();
            if (size == signatures.length) {
                signatures = Arrays.copyOf(signatures, size + (size >> 1) + 1);
            }
            System.arraycopy(signatures, index, signatures, index + 1, size - index);
            signatures[index] = signature(entity.name());
            entities.add(index, entity);
        }

        void remove(Entity entity) {
            int index = find(entity);
            if (index >= 0) {
                entities.remove(index);
                System.arraycopy(signatures, index + 1, signatures, index, entities.size() - index);
            }
        }

        private int find(Entity entity) {
            return Collections.binarySearch(entities, entity, MOST_MENTIONED_FIRST);
        }

        boolean isEmpty() {
            return entities.isEmpty();
        }

        Entity first() {
            return entities.getFirst();
        }

        /** Adds the entities that a name can refer to. */
        void like(Name name, List<Entity> into) {
            long signature = signature(name);
            for (int i = 0; i < Math.min(entities.size(), MAX_EXAMINED); i++) {
                if (mayBe(signatures[i], signature)) {
                    Name other = entities.get(i).name();
                    if (other.mayBe(name) || other.first().equals(name.first())) {
                        into.add(entities.get(i));
                    }
                }
            }
        }

        /** Signature of a name: initials, word count, and a hash of the first word. */
        private static long signature(Name name) {
            int lowBits = name.words().size() << 24 | name.first().hashCode() & FIRST;
            return (long) name.initials() << Integer.SIZE | lowBits & 0xffff_ffffL;
        }

        /** As {@link Name#mayBe}, or with the same first word. */
        private static boolean mayBe(long first, long second) {
            long firstInitials = first >>> Integer.SIZE;
            long secondInitials = second >>> Integer.SIZE;
            return ((first ^ second) & FIRST) == 0
                    || ((int) first >>> 24 <= (int) second >>> 24
                            ? (firstInitials & ~secondInitials) == 0
                            : (secondInitials & ~firstInitials) == 0);
        }
    }

    /**
     * The entities that a name can refer to: those with exactly this name, or otherwise those with the same first name
     * or similar words, among the 200 most mentioned for each word. May contain duplicates.
     */
    public List<? extends Candidate> like(Name name) {
        Ranking exact = byKey.get(name.key());
        if (exact != null) {
            return List.of(exact.first());
        }
        var alike = new ArrayList<Entity>();
        beginnings(name).forEach(beginning -> {
            Ranking ranking = byBeginning.get(beginning);
            if (ranking != null) {
                ranking.like(name, alike);
            }
        });
        return alike;
    }

    /** The entity with this id, valid until the next change. */
    public Optional<? extends Candidate> find(UUID id) {
        return Optional.ofNullable(all.get(id));
    }

    /** The number of entities. */
    public int size() {
        return all.size();
    }

    /** Adds the mentions of a unit. */
    void addMentions(List<Mention> mentions, Instant date) {
        count(mentions, date, 1);
    }

    /** Removes the mentions of a unit, and data about the entities that only that unit contained. */
    void removeMentions(List<Mention> mentions, Instant date) {
        count(mentions, date, -1);
    }

    private void count(List<Mention> mentions, Instant date, int by) {
        List<Name> names =
                mentions.stream().map(mention -> Name.of(mention.name())).toList();
        for (int i = 0; i < names.size(); i++) {
            UUID id = mentions.get(i).entity();
            Entity entity = all.computeIfAbsent(id, Entity::new);
            take(entity);
            entity.count(names.get(i), date, others(id, mentions, names), by);
            if (entity.mentions() > 0) {
                put(entity);
            } else {
                all.remove(id);
            }
        }
    }

    /** The names of the entities mentioned together with one. */
    private static List<Name> others(UUID id, List<Mention> mentions, List<Name> names) {
        return IntStream.range(0, names.size())
                .filter(i -> !mentions.get(i).entity().equals(id))
                .mapToObj(names::get)
                .toList();
    }

    private void put(Entity entity) {
        put(byKey, entity.name().key(), entity);
        beginnings(entity.name()).forEach(beginning -> put(byBeginning, beginning, entity));
    }

    private static void put(Map<String, Ranking> rankings, String key, Entity entity) {
        rankings.computeIfAbsent(key, _ -> new Ranking()).add(entity);
    }

    private void take(Entity entity) {
        take(byKey, entity.name().key(), entity);
        beginnings(entity.name()).forEach(beginning -> take(byBeginning, beginning, entity));
    }

    private static void take(Map<String, Ranking> rankings, String key, Entity entity) {
        rankings.computeIfPresent(key, (_, ranking) -> {
            ranking.remove(entity);
            return ranking.isEmpty() ? null : ranking;
        });
    }

    private static Stream<String> beginnings(Name name) {
        return name.words().stream()
                .map(word -> word.substring(0, Math.min(BEGINNING, word.length())))
                .distinct();
    }

    void clear() {
        all.clear();
        byKey.clear();
        byBeginning.clear();
    }

    @Override
    public String toString() {
        return all.values() + " by " + byKey.keySet();
    }
}
