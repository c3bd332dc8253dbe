package dev.parley.memory.search;

import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.LinkType;
import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that can be found of one bank. One thread writes, any read; a reader sees either all of a write or nothing of it, and what
 * was put is found by whoever reads next.
 *
 * <p>A thing has versions, each known for a time of the system. Who asks as of a moment gets what an index would have given that had
 * been filled up to then: the versions, and the weights of words, are those of that moment, and vectors are all compared exactly.
 * A link is known as soon as both its ends are.
 *
 * <p>It is long because one write changes all of it.
 */
public final class Index implements AutoCloseable {
    static final long FOR_EVER = Long.MAX_VALUE;
    static final int NONE = -1;

    /** Up to so many vectors all are compared exactly. */
    private static final int EXACT = 20_000;

    /** So many, or half of them where there are more, have their signs compared. */
    private static final int LOOKED = 250_000;

    /** So many, or this share, or some for each that is wanted, are then compared exactly. */
    private static final int KEPT = 2_000;

    private static final int KEPT_SHARE = 200;
    private static final int KEPT_EACH = 4;

    /** What the writer looks at: it only wants those that are very close. */
    private static final int NEAREST_LOOKED = 8_000;

    private static final int NEAREST_KEPT = 64;

    /** A fair one: else readers on virtual threads, which give up no processor, pass a waiting writer for ever. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock(true);

    private final IntFunction<Vectors> vectors;
    private final Map<String, Integer> nodes = new HashMap<>();
    private final Deque<Integer> freeNodes = new ArrayDeque<>();
    private final Deque<Integer> freeRows = new ArrayDeque<>();
    private final Map<String, Postings> words = new HashMap<>();
    private final Map<String, Postings> entities = new HashMap<>();
    private final Map<MessagePosition, Postings> places = new HashMap<>();
    private final Map<FactType, NavigableMap<Moment, Integer>> moments = new EnumMap<>(FactType.class);
    private final Map<String, IvfIndex> generations = new HashMap<>();
    /** Which generation is searched, since when. */
    private final NavigableMap<Long, String> searched = new TreeMap<>();

    private @Nullable String searchedNow;

    /** By node: the newest version's row, and links. */
    private int[] newest = {};

    private long[][] links = {};
    private int nodeCount;

    /** By row. */
    private @Nullable Item[] items = {};

    private int[] nodeOf = {};
    private int[] earlier = {};
    private int[] lengths = {};
    private long[] from = {};
    private long[] until = {};
    private long[] begins = {};
    private long[] ends = {};
    private int rowCount;

    private int current;
    private long currentLength;
    private boolean closed;
    private final AtomicInteger held = new AtomicInteger();

    private record Moment(long micros, String id) implements Comparable<Moment> {
        @Override
        public int compareTo(Moment other) {
            int byTime = Long.compare(micros, other.micros);
            return byTime != 0 ? byTime : id.compareTo(other.id);
        }
    }

    /** @param vectors where those of so many numbers are */
    Index(IntFunction<Vectors> vectors) {
        this.vectors = vectors;
    }

    /** How many things are known now. */
    public int size() {
        return reading(() -> current);
    }

    /** Writes several things, of which readers see all or nothing; they wait once. */
    public void write(Runnable several) {
        writing(several);
    }

    /** Whoever is going to read holds the index until they {@link #release} it: it is not put away meanwhile. Any thread. */
    public void hold() {
        held.incrementAndGet();
    }

    /** Ends a {@link #hold}. */
    public void release() {
        held.decrementAndGet();
    }

    /** Whether somebody is going to read. */
    public boolean isHeld() {
        return held.get() > 0;
    }

    /**
     * Reads while nothing is written. The view must not leave the function.
     *
     * @throws ClosedException where the index was closed
     */
    public <T> T read(Filter filter, Function<View, T> reading) {
        return reading(() -> reading.apply(new View(this, filter)));
    }

    /**
     * Puts a version of a thing: instead of the one that is known from the same moment, or after earlier ones, of which the last
     * ceases to be known when this one begins.
     *
     * @throws IllegalArgumentException where a later version is there already
     */
    public void put(Item item, Embedding... meanings) {
        List<String> said = Terms.of(item.words());
        writing(() -> {
            int node = nodes.computeIfAbsent(item.id(), id -> newNode());
            int before = makeRoom(node, item);
            int row = newRow(item, node, before, said);
            newest[node] = row;
            for (Embedding embedding : meanings) {
                embed(row, embedding);
            }
        });
    }

    /** Gives the newest version of a thing its vector of another generation, or a new one of the same; nothing where the thing is not there. */
    public void embed(String id, Embedding embedding) {
        writing(() -> {
            Integer node = nodes.get(id);
            if (node != null) {
                embed(newest[node], embedding);
            }
        });
    }

    /** Gives the version of a thing that is known from a moment its vector of another generation; nothing where it is not there. */
    public void embed(String id, Instant knownFrom, Embedding embedding) {
        writing(() -> {
            Integer node = nodes.get(id);
            int row = node == null ? NONE : newest[node];
            while (row != NONE && from[row] != micros(knownFrom)) {
                row = earlier[row];
            }
            if (row != NONE) {
                embed(row, embedding);
            }
        });
    }

    private void embed(int row, Embedding embedding) {
        IvfIndex cells = generations.computeIfAbsent(
                embedding.generation(), any -> new IvfIndex(vectors.apply(embedding.vector().length)));
        if (cells.fits(embedding.vector())) {
            cells.remove(row);
            cells.add(row, embedding.vector(), sort(item(row)), isCurrent(row));
        }
    }

    /** The writer looks for units of one type. */
    private static int sort(Item item) {
        FactType type = item.type();
        return item.kind() == Kind.UNIT && type != null ? sort(type) : 0;
    }

    private static int sort(FactType type) {
        return 1 + type.ordinal();
    }

    /** Lets the newest version of a thing cease to be known, with its vectors; nothing where the thing is not there. */
    public void retire(String id, Instant knownUntil) {
        writing(() -> {
            Integer node = nodes.get(id);
            if (node != null && isCurrent(newest[node])) {
                int row = newest[node];
                retire(row);
                until[row] = Math.max(from[row], micros(knownUntil));
            }
        });
    }

    /** From a moment of the system's time on, questions are compared with vectors of this generation. */
    public void search(String generation, Instant since) {
        writing(() -> {
            searched.put(micros(since), generation);
            searchedNow = generation;
        });
    }

    /**
     * Which generation a question is to be compared with; empty where none was named.
     *
     * @param asOf the moment it asks as of, or null for now. The generation of then, if that is still there
     */
    public Optional<String> generation(@Nullable Instant asOf) {
        return reading(() -> {
            Map.Entry<Long, String> then = asOf == null ? null : searched.floorEntry(micros(asOf));
            return then == null ? Optional.ofNullable(searchedNow) : Optional.of(then.getValue());
        });
    }

    /** Forgets all vectors of a generation, which must not be the one that is searched now. */
    public void dropGeneration(String generation) {
        writing(() -> {
            searched.values().removeIf(generation::equals);
            IvfIndex cells = generations.remove(generation);
            if (cells != null) {
                cells.clear();
            }
        });
    }

    /** Removes a thing in all its versions, with its links; nothing where it is not there. */
    public void remove(String id) {
        writing(() -> {
            Integer node = nodes.remove(id);
            if (node != null) {
                for (int row = newest[node]; row != NONE; ) {
                    int before = earlier[row];
                    removeRow(row);
                    row = before;
                }
                for (long link : links[node]) {
                    unlink(Links.node(link), node);
                }
                links[node] = Links.NONE;
                freeNodes.push(node);
            }
        });
    }

    /** Removes all things in all their versions. */
    public void clear() {
        writing(() -> {
            generations.values().forEach(IvfIndex::clear);
            for (Map<?, ?> all : List.of(generations, nodes, words, entities, places, moments)) {
                all.clear();
            }
            freeNodes.clear();
            freeRows.clear();
            Arrays.fill(items, null);
            Arrays.fill(links, Links.NONE);
            nodeCount = 0;
            rowCount = 0;
            current = 0;
            currentLength = 0;
        });
    }

    /**
     * Links two things; a link of the same type and direction that was there has the new weight. Nothing where one of them is not
     * there. Links by time and by shared entities are not put: {@link #around} and {@link View#withEntity} find them.
     *
     * @throws IllegalArgumentException where the type is one of those, the weight not from 0 to 1, or both ends are the same
     */
    public void link(String source, String target, LinkType type, double weight) {
        if (type == LinkType.TEMPORAL || type == LinkType.ENTITY) {
            throw new IllegalArgumentException("links by time and by shared entities are found, not put");
        }
        if (!(weight >= 0 && weight <= 1) || source.equals(target)) {
            throw new IllegalArgumentException("no link of " + weight + " from " + source + " to " + target);
        }
        writing(() -> {
            Integer one = nodes.get(source);
            Integer other = nodes.get(target);
            if (one != null && other != null) {
                links[one] = Links.with(links[one], Links.link(other, type, weight, true));
                links[other] = Links.with(links[other], Links.link(one, type, weight, false));
            }
        });
    }

    /**
     * The units of a type that are known now and mean nearly the same, the closest first. Above some thousand units those of the
     * nearest cells only.
     *
     * @param floor the smallest cosine
     */
    public List<Neighbour> nearest(Embedding embedding, FactType type, double floor, int most) {
        return reading(() -> {
            IvfIndex cells = generations.get(embedding.generation());
            if (cells == null || !cells.fits(embedding.vector())) {
                return List.of();
            }
            TopK best = new TopK(most, row -> item(row).id());
            int kept = Math.max(NEAREST_KEPT, KEPT_EACH * most);
            cells.closely(embedding.vector(), sort(type), NEAREST_LOOKED, kept, row -> true, floor, best);
            return best.list().stream()
                    .map(found -> new Neighbour(item(found.row()).id(), found.score()))
                    .toList();
        });
    }

    /** The units of a type that are known now and were next before and next after a moment, the earliest first; those of the moment itself are after it. */
    public List<Item> around(Instant moment, FactType type, int eachSide) {
        return reading(() -> {
            NavigableMap<Moment, Integer> all = moments.getOrDefault(type, new TreeMap<>());
            Moment here = new Moment(micros(moment), "");
            List<Item> before = some(all.headMap(here, false).descendingMap(), eachSide);
            List<Item> after = some(all.tailMap(here, true), eachSide);
            return Stream.concat(before.reversed().stream(), after.stream()).toList();
        });
    }

    /** A stream of such a map would count it first. */
    private List<Item> some(NavigableMap<Moment, Integer> all, int most) {
        var some = new ArrayList<Item>();
        for (Iterator<Integer> rows = all.values().iterator(); some.size() < most && rows.hasNext(); ) {
            some.add(item(rows.next()));
        }
        return some;
    }

    /** Gives back what it has outside of Java's memory; nothing can be found any more. */
    @Override
    public void close() {
        writing(() -> {
            closed = true;
            generations.values().forEach(IvfIndex::clear);
            generations.clear();
        });
    }

    /** An index was closed before it was read: the bank has been put away, or is somebody else's by now. */
    public static final class ClosedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        ClosedException() {
            super("the index was closed");
        }
    }

    // What writes.

    private int newNode() {
        int node = freeNodes.isEmpty() ? nodeCount++ : freeNodes.pop();
        if (node >= newest.length) {
            int room = more(node);
            newest = Arrays.copyOf(newest, room);
            int had = links.length;
            links = Arrays.copyOf(links, room);
            Arrays.fill(links, had, room, Links.NONE);
        }
        newest[node] = NONE;
        return node;
    }

    private static int more(int needed) {
        return needed + (needed >> 1) + 8;
    }

    /** The version that is before the new one, which ends with it; one that does not begin before it goes. */
    private int makeRoom(int node, Item item) {
        int row = newest[node];
        if (row == NONE) {
            return NONE;
        }
        long begin = micros(item.knownFrom());
        if (begin <= from[row]) { // also of a clock that is behind the one before
            int before = earlier[row];
            removeRow(row);
            return before;
        }
        if (until[row] > begin) {
            retire(row);
            until[row] = begin;
        }
        return row;
    }

    private int newRow(Item item, int node, int before, List<String> said) {
        int row = freeRows.isEmpty() ? rowCount++ : freeRows.pop();
        if (row >= Postings.MOST_ROWS) {
            throw new IllegalStateException("a bank has room for " + Postings.MOST_ROWS + " versions: split it");
        }
        if (row >= items.length) {
            grow(more(row));
        }
        items[row] = item;
        nodeOf[row] = node;
        earlier[row] = before;
        lengths[row] = said.size();
        from[row] = micros(item.knownFrom());
        Instant end = item.knownUntil();
        until[row] = end == null ? FOR_EVER : micros(end);
        TimeSpan occurred = item.occurred();
        Instant date = item.date();
        begins[row] = date == null ? FOR_EVER : micros(date);
        ends[row] = occurred != null ? micros(occurred.to()) : date == null ? Long.MIN_VALUE : micros(date);
        Map<String, Integer> counts = counts(said);
        post(row, item, counts);
        if (until[row] == FOR_EVER) {
            count(row, item, counts, 1);
        }
        return row;
    }

    private void post(int row, Item item, Map<String, Integer> counts) {
        counts.forEach((word, times) ->
                words.computeIfAbsent(word, any -> new Postings()).add(row, times));
        item.entities()
                .forEach(entity ->
                        entities.computeIfAbsent(entity, any -> new Postings()).add(row, 1));
        if (item.place() != null) {
            places.computeIfAbsent(item.place(), any -> new Postings()).add(row, 1);
        }
    }

    private void grow(int room) {
        items = Arrays.copyOf(items, room);
        nodeOf = Arrays.copyOf(nodeOf, room);
        earlier = Arrays.copyOf(earlier, room);
        lengths = Arrays.copyOf(lengths, room);
        from = Arrays.copyOf(from, room);
        until = Arrays.copyOf(until, room);
        begins = Arrays.copyOf(begins, room);
        ends = Arrays.copyOf(ends, room);
    }

    /** A version is not known any more: neither words nor moments count it. */
    private void retire(int row) {
        Item item = item(row);
        if (isCurrent(row)) {
            count(row, item, counts(Terms.of(item.words())), -1);
        }
        generations.values().forEach(cells -> cells.retire(row));
    }

    private void count(int row, Item item, Map<String, Integer> said, int by) {
        said.keySet().forEach(word -> Objects.requireNonNull(words.get(word)).count(by));
        current += by;
        currentLength += (long) by * lengths[row];
        FactType type = item.type();
        Instant date = item.date();
        if (item.kind() == Kind.UNIT && type != null && date != null) {
            NavigableMap<Moment, Integer> all = moments.computeIfAbsent(type, any -> new TreeMap<>());
            Moment moment = new Moment(begins[row], item.id());
            if (by > 0) {
                all.put(moment, row);
            } else {
                all.remove(moment);
            }
        }
    }

    private void removeRow(int row) {
        Item item = item(row);
        Map<String, Integer> said = counts(Terms.of(item.words()));
        if (isCurrent(row)) {
            count(row, item, said, -1);
        }
        said.keySet().forEach(word -> removeFrom(words, word, row));
        item.entities().forEach(entity -> removeFrom(entities, entity, row));
        if (item.place() != null) {
            removeFrom(places, item.place(), row);
        }
        generations.values().forEach(cells -> cells.remove(row));
        items[row] = null;
        freeRows.push(row);
    }

    private static <K> void removeFrom(Map<K, Postings> all, K key, int row) {
        Postings postings = Objects.requireNonNull(all.get(key));
        postings.remove(row);
        if (postings.size() == 0) {
            all.remove(key);
        }
    }

    private void unlink(int node, int gone) {
        links[node] = Links.without(links[node], gone);
    }

    private static Map<String, Integer> counts(List<String> said) {
        var counts = new HashMap<String, Integer>();
        said.forEach(word -> counts.merge(word, 1, Integer::sum));
        return counts;
    }

    // What a view reads.

    Item item(int row) {
        return Objects.requireNonNull(items[row], "a row of nothing");
    }

    boolean isCurrent(int row) {
        return items[row] != null && until[row] == FOR_EVER;
    }

    boolean isKnown(int row, long moment) {
        return items[row] != null && from[row] <= moment && moment < until[row];
    }

    int rows() {
        return rowCount;
    }

    int current() {
        return current;
    }

    long currentLength() {
        return currentLength;
    }

    int length(int row) {
        return lengths[row];
    }

    /** When it happened or was said; the far future where that is unknown. */
    long begin(int row) {
        return begins[row];
    }

    boolean overlaps(int row, long begin, long end) {
        return begins[row] <= end && ends[row] >= begin;
    }

    @Nullable
    Postings word(String word) {
        return words.get(word);
    }

    @Nullable
    Postings entity(String entity) {
        return entities.get(entity);
    }

    @Nullable
    Postings place(MessagePosition place) {
        return places.get(place);
    }

    @Nullable
    IvfIndex generation(String generation) {
        return generations.get(generation);
    }

    long[] links(int row) {
        return links[nodeOf[row]];
    }

    /** The newest version of a node; {@link #NONE} where it has none. */
    int newest(int node) {
        return newest[node];
    }

    int earlier(int row) {
        return earlier[row];
    }

    static void search(
            IvfIndex cells, float[] asked, boolean alsoPast, IntPredicate accepted, double floor, int most, TopK best) {
        if (alsoPast || cells.size() <= EXACT) {
            cells.exactly(asked, alsoPast, accepted, floor, best);
        } else {
            int looked = Math.max(LOOKED, cells.size() / 2);
            int kept = Math.max(Math.max(KEPT, cells.size() / KEPT_SHARE), KEPT_EACH * most);
            cells.closely(asked, IvfIndex.ANY, looked, kept, accepted, floor, best);
        }
    }

    /** In the system's finest steps that all its clocks have; what is too far away counts as for ever. */
    static long micros(Instant moment) {
        long seconds = Math.clamp(moment.getEpochSecond(), -FOR_EVER / 2_000_000, FOR_EVER / 2_000_000);
        return seconds * 1_000_000 + moment.getNano() / 1_000;
    }

    private interface Reading<T> {
        T read();
    }

    private <T> T reading(Reading<T> reading) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new ClosedException();
            }
            return reading.read();
        } finally {
            lock.readLock().unlock();
        }
    }

    private void writing(Runnable writing) {
        lock.writeLock().lock();
        try {
            writing.run();
        } finally {
            lock.writeLock().unlock();
        }
    }
}
