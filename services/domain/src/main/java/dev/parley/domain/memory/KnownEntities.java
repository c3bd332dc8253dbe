package dev.parley.domain.memory;

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

/** The people and things that a bank knows: by what names, and with whom they are mentioned. Not for several threads. */
public final class KnownEntities {
    /** Most that are looked at for a new name, for each of its words. */
    private static final int MOST_LOOKED = 200;

    /** Characters of a word by which it is found. */
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

    /** A person or thing. */
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

        /** The fullest one that a text gives it which is still known. */
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

        /** It is mentioned once more, or once less. */
        void count(Name said, Instant date, List<Name> others, int by) {
            add(names, said, by);
            add(dates, date, by);
            others.forEach(other -> add(nearby, other.key(), by));
            mentions += by;
            if (by < 0 ? !names.containsKey(name) : FULLEST.compare(said, name) > 0) {
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
            counts.merge(key, by, (before, more) -> before + more == 0 ? null : before + more);
        }
    }

    /**
     * Some of them, the most often mentioned first. Beside each stands what its name looks like: most of them are passed over without a
     * look at themselves, who are anywhere in memory.
     */
    private static final class Ranking {
        private static final int FIRST = (1 << 24) - 1;

        private final List<Entity> there = new ArrayList<>();
        private long[] looks = {};

        void add(Entity entity) {
            int at = -find(entity) - 1;
            int size = there.size();
            if (size == looks.length) {
                looks = Arrays.copyOf(looks, size + (size >> 1) + 1);
            }
            System.arraycopy(looks, at, looks, at + 1, size - at);
            looks[at] = look(entity.name());
            there.add(at, entity);
        }

        void remove(Entity entity) {
            int at = find(entity);
            if (at >= 0) {
                there.remove(at);
                System.arraycopy(looks, at + 1, looks, at, there.size() - at);
            }
        }

        private int find(Entity entity) {
            return Collections.binarySearch(there, entity, MOST_MENTIONED_FIRST);
        }

        boolean isEmpty() {
            return there.isEmpty();
        }

        Entity first() {
            return there.getFirst();
        }

        /** Adds those whom a name can mean. */
        void like(Name name, List<Entity> into) {
            long look = look(name);
            for (int i = 0; i < Math.min(there.size(), MOST_LOOKED); i++) {
                if (mayBe(looks[i], look)) {
                    Name other = there.get(i).name();
                    if (other.mayBe(name) || other.first().equals(name.first())) {
                        into.add(there.get(i));
                    }
                }
            }
        }

        /** Initials, how many words, and a hash of what is before the first blank. */
        private static long look(Name name) {
            int rest = name.words().size() << 24 | name.first().hashCode() & FIRST;
            return (long) name.initials() << Integer.SIZE | rest & 0xffff_ffffL;
        }

        /** As {@link Name#mayBe}, or both begin with the same word. */
        private static boolean mayBe(long one, long other) {
            long its = one >>> Integer.SIZE;
            long others = other >>> Integer.SIZE;
            return ((one ^ other) & FIRST) == 0
                    || ((int) one >>> 24 <= (int) other >>> 24 ? (its & ~others) == 0 : (others & ~its) == 0);
        }
    }

    /**
     * Those whom a name can mean: who goes by it, or where nobody does, those with the same first name or whose words begin alike, among
     * the 200 most often mentioned of whose name a word begins as one of this does, for each of its words. Some are there twice.
     */
    List<? extends Candidate> like(Name name) {
        Ranking same = byKey.get(name.key());
        if (same != null) {
            return List.of(same.first());
        }
        var alike = new ArrayList<Entity>();
        beginnings(name).forEach(beginning -> {
            Ranking there = byBeginning.get(beginning);
            if (there != null) {
                there.like(name, alike);
            }
        });
        return alike;
    }

    /** The one of this id, as long as nothing changes. */
    Optional<? extends Candidate> find(UUID id) {
        return Optional.ofNullable(all.get(id));
    }

    /** How many there are. */
    public int size() {
        return all.size();
    }

    /** A unit is about these. */
    void mentioned(List<Mention> mentions, Instant date) {
        count(mentions, date, 1);
    }

    /** A unit of this date that was about these is no more: nor is what it alone said of them. */
    void unmentioned(List<Mention> mentions, Instant date) {
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

    /** How those are called who are mentioned together with one. */
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

    private static void put(Map<String, Ranking> all, String key, Entity entity) {
        all.computeIfAbsent(key, _ -> new Ranking()).add(entity);
    }

    private void take(Entity entity) {
        take(byKey, entity.name().key(), entity);
        beginnings(entity.name()).forEach(beginning -> take(byBeginning, beginning, entity));
    }

    private static void take(Map<String, Ranking> all, String key, Entity entity) {
        all.computeIfPresent(key, (_, there) -> {
            there.remove(entity);
            return there.isEmpty() ? null : there;
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
