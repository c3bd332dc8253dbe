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
 * Search index of one memory bank. One thread writes, any thread reads; a reader sees a write entirely or not at all,
 * and reads after a write see it.
 *
 * <p>Items have versions, each known for an interval of system time. A query as of an earlier moment gets the results
 * of an index filled up to then: versions and word statistics of that moment, and exact vector comparison. A link is
 * known as soon as both its ends are.
 */
public final class Index implements AutoCloseable {
    static final long FOR_EVER = Long.MAX_VALUE;
    static final int NONE = -1;

    /** Up to this number of vectors, all are compared exactly. */
    private static final int EXACT = 20_000;

    /** Number of vectors, or half of them where there are more, whose sign sketches are compared. */
    private static final int LOOKED = 250_000;

    /** Number of these, or the share below, or a multiple of the requested results, that are then compared exactly. */
    private static final int KEPT = 2_000;

    private static final int KEPT_SHARE = 200;
    private static final int KEPT_EACH = 4;

    /** Limits for the writer, which needs only very close units. */
    private static final int NEAREST_LOOKED = 8_000;

    private static final int NEAREST_KEPT = 64;

    /** Fair: otherwise readers on virtual threads could starve a waiting writer. */
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
    /** The searched generation, by the time from which it is. */
    private final NavigableMap<Long, String> searched = new TreeMap<>();

    private @Nullable String searchedNow;

    /** By node: the row of the newest version, and the links. */
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

    /** @param vectors the vector store by number of dimensions */
    Index(IntFunction<Vectors> vectors) {
        this.vectors = vectors;
    }

    /** Number of items known now. */
    public int size() {
        return reading(() -> current);
    }

    /** Writes several items atomically for readers. */
    public void write(Runnable several) {
        writing(several);
    }

    /** Announces a read until {@link #release}: the index is not closed meanwhile. Any thread. */
    public void hold() {
        held.incrementAndGet();
    }

    /** Ends a {@link #hold}. */
    public void release() {
        held.decrementAndGet();
    }

    /** Whether a read is announced. */
    public boolean isHeld() {
        return held.get() > 0;
    }

    /**
     * Reads while nothing is written. The view must not leave the function.
     *
     * @throws ClosedException where the index is closed
     */
    public <T> T read(SearchFilter filter, Function<View, T> reading) {
        return reading(() -> reading.apply(new View(this, filter)));
    }

    /**
     * Puts a version of an item: it replaces one known from the same moment, or follows earlier ones, the last of which
     * ends when it begins.
     *
     * @throws IllegalArgumentException where a later version exists
     */
    public void put(Item item, Embedding... meanings) {
        List<String> terms = Terms.of(item.words());
        writing(() -> {
            int node = nodes.computeIfAbsent(item.id(), id -> newNode());
            int before = makeRoom(node, item);
            int row = newRow(item, node, before, terms);
            newest[node] = row;
            for (Embedding embedding : meanings) {
                embed(row, embedding);
            }
        });
    }

    /** Adds or replaces a vector of the newest version of an item, if it exists. */
    public void embed(String id, Embedding embedding) {
        writing(() -> {
            Integer node = nodes.get(id);
            if (node != null) {
                embed(newest[node], embedding);
            }
        });
    }

    /** Adds a vector to the version of an item known from a moment, if it exists. */
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
                embedding.generation(), _ -> new IvfIndex(vectors.apply(embedding.vector().length)));
        if (cells.fits(embedding.vector())) {
            cells.remove(row);
            cells.add(row, embedding.vector(), sort(item(row)), isCurrent(row));
        }
    }

    /** The writer searches units of one type. */
    private static int sort(Item item) {
        FactType type = item.type();
        return item.kind() == ItemKind.UNIT && type != null ? sort(type) : 0;
    }

    private static int sort(FactType type) {
        return 1 + type.ordinal();
    }

    /** Ends the newest version of an item, with its vectors, if it exists. */
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

    /** Sets the generation that queries are compared with from a system time on. */
    public void search(String generation, Instant since) {
        writing(() -> {
            searched.put(micros(since), generation);
            searchedNow = generation;
        });
    }

    /**
     * The generation to compare a query with; empty where none was set.
     *
     * @param asOf time of the query, or null for now; the generation of then, if it still exists
     */
    public Optional<String> generation(@Nullable Instant asOf) {
        return reading(() -> {
            Map.Entry<Long, String> entry = asOf == null ? null : searched.floorEntry(micros(asOf));
            return entry == null ? Optional.ofNullable(searchedNow) : Optional.of(entry.getValue());
        });
    }

    /** Drops all vectors of a generation, which must not be the one searched now. */
    public void dropGeneration(String generation) {
        writing(() -> {
            searched.values().removeIf(generation::equals);
            IvfIndex cells = generations.remove(generation);
            if (cells != null) {
                cells.release();
            }
        });
    }

    /** Removes an item in all versions, with its links, if it exists. */
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
                    unlink(PackedLinks.node(link), node);
                }
                links[node] = PackedLinks.NONE;
                freeNodes.push(node);
            }
        });
    }

    /** Removes all items. */
    public void clear() {
        writing(() -> {
            generations.values().forEach(IvfIndex::release);
            for (Map<?, ?> map : List.of(generations, nodes, words, entities, places, moments)) {
                map.clear();
            }
            freeNodes.clear();
            freeRows.clear();
            Arrays.fill(items, null);
            Arrays.fill(links, PackedLinks.NONE);
            nodeCount = 0;
            rowCount = 0;
            current = 0;
            currentLength = 0;
        });
    }

    /**
     * Links two items, if both exist; an existing link of the same type and direction gets the new weight. Temporal
     * links and links by shared entities are computed: see {@link #around} and {@link View#withEntity}.
     *
     * @throws IllegalArgumentException where the type is one of those, the weight is not in 0 to 1, or both ends are
     *     the same
     */
    public void link(String source, String target, LinkType type, double weight) {
        if (type == LinkType.TEMPORAL || type == LinkType.ENTITY) {
            throw new IllegalArgumentException("links by time and by shared entities are computed and cannot be added");
        }
        if (!(weight >= 0 && weight <= 1) || source.equals(target)) {
            throw new IllegalArgumentException(
                    "invalid link of weight " + weight + " from " + source + " to " + target);
        }
        writing(() -> {
            Integer sourceNode = nodes.get(source);
            Integer targetNode = nodes.get(target);
            if (sourceNode != null && targetNode != null) {
                links[sourceNode] =
                        PackedLinks.with(links[sourceNode], PackedLinks.link(targetNode, type, weight, true));
                links[targetNode] =
                        PackedLinks.with(links[targetNode], PackedLinks.link(sourceNode, type, weight, false));
            }
        });
    }

    /**
     * Current units of a type by similarity, the closest first; approximate above some thousand units.
     *
     * @param floor minimum cosine similarity
     */
    public List<Neighbour> nearest(Embedding embedding, FactType type, double floor, int limit) {
        return reading(() -> {
            IvfIndex cells = generations.get(embedding.generation());
            if (cells == null || !cells.fits(embedding.vector())) {
                return List.of();
            }
            TopK best = new TopK(limit, row -> item(row).id());
            int kept = Math.max(NEAREST_KEPT, KEPT_EACH * limit);
            cells.searchClosest(embedding.vector(), sort(type), NEAREST_LOOKED, kept, row -> true, floor, best);
            return best.list().stream()
                    .map(found -> new Neighbour(item(found.row()).id(), found.score()))
                    .toList();
        });
    }

    /** Current units of a type next to a moment, the earliest first; those of the moment itself count as after it. */
    public List<Item> around(Instant moment, FactType type, int eachSide) {
        return reading(() -> {
            NavigableMap<Moment, Integer> ofType = moments.getOrDefault(type, new TreeMap<>());
            Moment boundary = new Moment(micros(moment), "");
            List<Item> before = firstItems(ofType.headMap(boundary, false).descendingMap(), eachSide);
            List<Item> after = firstItems(ofType.tailMap(boundary, true), eachSide);
            return Stream.concat(before.reversed().stream(), after.stream()).toList();
        });
    }

    /** Avoids a stream, which would count the map first. */
    private List<Item> firstItems(NavigableMap<Moment, Integer> rowsByMoment, int limit) {
        var result = new ArrayList<Item>();
        for (Iterator<Integer> rows = rowsByMoment.values().iterator(); result.size() < limit && rows.hasNext(); ) {
            result.add(item(rows.next()));
        }
        return result;
    }

    /** Frees its memory outside of the heap; it cannot be read afterwards. */
    @Override
    public void close() {
        writing(() -> {
            closed = true;
            generations.values().forEach(IvfIndex::release);
            generations.clear();
        });
    }

    /** The index was closed before it was read: the bank was evicted, or its partition moved. */
    public static final class ClosedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        ClosedException() {
            super("the index was closed");
        }
    }

    private int newNode() {
        int node = freeNodes.isEmpty() ? nodeCount++ : freeNodes.pop();
        if (node >= newest.length) {
            int room = grownCapacity(node);
            newest = Arrays.copyOf(newest, room);
            int had = links.length;
            links = Arrays.copyOf(links, room);
            Arrays.fill(links, had, room, PackedLinks.NONE);
        }
        newest[node] = NONE;
        return node;
    }

    private static int grownCapacity(int required) {
        return required + (required >> 1) + 8;
    }

    /** The version before the new one, which ends when that begins; one that does not begin earlier is removed. */
    private int makeRoom(int node, Item item) {
        int row = newest[node];
        if (row == NONE) {
            return NONE;
        }
        long start = micros(item.knownFrom());
        if (start <= from[row]) { // also if this clock is behind that of the earlier version
            int before = earlier[row];
            removeRow(row);
            return before;
        }
        if (until[row] > start) {
            retire(row);
            until[row] = start;
        }
        return row;
    }

    private int newRow(Item item, int node, int before, List<String> terms) {
        int row = freeRows.isEmpty() ? rowCount++ : freeRows.pop();
        if (row >= Postings.MAX_ROWS) {
            throw new IllegalStateException("a bank has at most " + Postings.MAX_ROWS + " versions: split it");
        }
        if (row >= items.length) {
            grow(grownCapacity(row));
        }
        items[row] = item;
        nodeOf[row] = node;
        earlier[row] = before;
        lengths[row] = terms.size();
        setTimes(row, item);
        Map<String, Integer> counts = counts(terms);
        post(row, item, counts);
        if (until[row] == FOR_EVER) {
            count(row, item, counts, 1);
        }
        return row;
    }

    private void setTimes(int row, Item item) {
        from[row] = micros(item.knownFrom());
        Instant end = item.knownUntil();
        until[row] = end == null ? FOR_EVER : micros(end);
        TimeSpan occurred = item.occurred();
        Instant date = item.date();
        begins[row] = date == null ? FOR_EVER : micros(date);
        ends[row] = occurred != null ? micros(occurred.to()) : date == null ? Long.MIN_VALUE : micros(date);
    }

    private void post(int row, Item item, Map<String, Integer> counts) {
        counts.forEach((term, times) ->
                words.computeIfAbsent(term, _ -> new Postings()).add(row, times));
        item.entities()
                .forEach(entity ->
                        entities.computeIfAbsent(entity, _ -> new Postings()).add(row, 1));
        if (item.place() != null) {
            places.computeIfAbsent(item.place(), _ -> new Postings()).add(row, 1);
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

    /** A version is no longer current: excludes it from word statistics and moments. */
    private void retire(int row) {
        Item item = item(row);
        if (isCurrent(row)) {
            count(row, item, counts(Terms.of(item.words())), -1);
        }
        generations.values().forEach(cells -> cells.retire(row));
    }

    private void count(int row, Item item, Map<String, Integer> counts, int delta) {
        counts.keySet().forEach(term -> Objects.requireNonNull(words.get(term)).count(delta));
        current += delta;
        currentLength += (long) delta * lengths[row];
        FactType type = item.type();
        Instant date = item.date();
        if (item.kind() == ItemKind.UNIT && type != null && date != null) {
            NavigableMap<Moment, Integer> ofType = moments.computeIfAbsent(type, _ -> new TreeMap<>());
            Moment moment = new Moment(begins[row], item.id());
            if (delta > 0) {
                ofType.put(moment, row);
            } else {
                ofType.remove(moment);
            }
        }
    }

    private void removeRow(int row) {
        Item item = item(row);
        Map<String, Integer> counts = counts(Terms.of(item.words()));
        if (isCurrent(row)) {
            count(row, item, counts, -1);
        }
        counts.keySet().forEach(term -> removeFrom(words, term, row));
        item.entities().forEach(entity -> removeFrom(entities, entity, row));
        if (item.place() != null) {
            removeFrom(places, item.place(), row);
        }
        generations.values().forEach(cells -> cells.remove(row));
        items[row] = null;
        freeRows.push(row);
    }

    private static <K> void removeFrom(Map<K, Postings> map, K key, int row) {
        Postings postings = Objects.requireNonNull(map.get(key));
        postings.remove(row);
        if (postings.size() == 0) {
            map.remove(key);
        }
    }

    private void unlink(int node, int removed) {
        links[node] = PackedLinks.without(links[node], removed);
    }

    private static Map<String, Integer> counts(List<String> terms) {
        var counts = new HashMap<String, Integer>();
        terms.forEach(term -> counts.merge(term, 1, Integer::sum));
        return counts;
    }

    Item item(int row) {
        return Objects.requireNonNull(items[row], "a row without an item");
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

    /** Start of the time at which the item happened, or was said; the far future if unknown. */
    long begin(int row) {
        return begins[row];
    }

    boolean overlaps(int row, long begin, long end) {
        return begins[row] <= end && ends[row] >= begin;
    }

    @Nullable
    Postings word(String term) {
        return words.get(term);
    }

    @Nullable
    Postings entity(String entity) {
        return entities.get(entity);
    }

    @Nullable
    Postings postingsAt(MessagePosition position) {
        return places.get(position);
    }

    @Nullable
    IvfIndex generation(String generation) {
        return generations.get(generation);
    }

    long[] links(int row) {
        return links[nodeOf[row]];
    }

    /** The newest version of a node, or {@link #NONE}. */
    int newest(int node) {
        return newest[node];
    }

    int earlier(int row) {
        return earlier[row];
    }

    static void search(
            IvfIndex cells,
            float[] query,
            boolean alsoPast,
            IntPredicate accepted,
            double floor,
            int limit,
            TopK best) {
        if (alsoPast || cells.size() <= EXACT) {
            cells.searchAll(query, alsoPast, accepted, floor, best);
        } else {
            int looked = Math.max(LOOKED, cells.size() / 2);
            int kept = Math.max(Math.max(KEPT, cells.size() / KEPT_SHARE), KEPT_EACH * limit);
            cells.searchClosest(query, IvfIndex.ANY, looked, kept, accepted, floor, best);
        }
    }

    /** Microseconds since the epoch, the finest resolution of all clocks; clamped for extreme times. */
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
