package dev.parley.memory.bank;

import dev.parley.domain.RecordKey;
import dev.parley.memory.bank.PartitionBanks.OpenBank;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** All memory banks that this process owns, over all its partitions. */
public final class Banks implements AutoCloseable {
    /** Number of large banks that are loaded concurrently. */
    private static final int FILLED_AT_ONCE = 2;

    private final Indexes indexes;
    private final Limits limits;
    private final Executor filling;
    private final List<PartitionBanks> partitions = new CopyOnWriteArrayList<>();

    /**
     * Limits of this process.
     *
     * @param largeBankEvents a bank with more events is loaded on another thread
     * @param fillBudget time in which the stream thread loads banks in one transaction; others are loaded on other
     *     threads
     * @param maxErasedEvents maximum number of events erased at once; the rest waits for other transactions
     * @param maxItems maximum number of passages and units in memory; above it, least recently used banks are evicted
     * @param busy a bank used more recently than this is not evicted
     * @param idle a bank unused for this long is evicted
     */
    record Limits(
            long largeBankEvents,
            Duration fillBudget,
            int maxErasedEvents,
            long maxItems,
            Duration busy,
            Duration idle) {
        /**
         * A partition that its stream thread confirmed within this time is still owned. Shorter than the session timeout
         * after which the brokers reassign the partitions of a silent process.
         */
        static final Duration OWNERSHIP_TIMEOUT = Duration.ofSeconds(3);

        /** Half of the Java heap, at 3 KB for each item with its bank state. */
        static Limits ofThisProcess() {
            return new Limits(
                    2_000,
                    Duration.ofMillis(500),
                    5_000,
                    Runtime.getRuntime().maxMemory() / 2 / 3_072,
                    Duration.ofSeconds(2),
                    Duration.ofMinutes(30));
        }
    }

    public Banks(Indexes indexes) {
        this(
                indexes,
                Limits.ofThisProcess(),
                Executors.newFixedThreadPool(
                        FILLED_AT_ONCE,
                        Thread.ofPlatform().name("bank-fill-", 0).daemon().factory()));
    }

    /** @param filling loads large banks, each from beginning to end */
    Banks(Indexes indexes, Limits limits, Executor filling) {
        this.indexes = indexes;
        this.limits = limits;
        this.filling = filling;
    }

    Indexes indexes() {
        return indexes;
    }

    Limits limits() {
        return limits;
    }

    Executor filling() {
        return filling;
    }

    /** Creates the banks of a partition, empty at first; registered until closed. */
    PartitionBanks forPartition() {
        var partitionBanks = new PartitionBanks(this);
        partitions.add(partitionBanks);
        return partitionBanks;
    }

    void remove(PartitionBanks partitionBanks) {
        partitions.remove(partitionBanks);
    }

    /** The index of a bank that is open here. */
    public Optional<Index> index(RecordKey bank) {
        return partitions.stream()
                .flatMap(partitionBanks -> partitionBanks.index(bank).stream())
                .findFirst();
    }

    /**
     * A bank that can be searched on other threads than the one that writes it.
     *
     * @param known sequence number of the newest event in the index
     */
    public record SearchableBank(Index index, long known) {}

    /** The bank with this key, where it is open here and this process owns its partition. Any thread. */
    public Optional<SearchableBank> searchable(RecordKey bank) {
        return searchable(bank, System.nanoTime());
    }

    Optional<SearchableBank> searchable(RecordKey bank, long now) {
        return partitions.stream()
                .flatMap(partitionBanks -> partitionBanks.searchable(bank, now).stream())
                .findFirst()
                .map(open -> {
                    long lastSeq = open.newestSeq(); // read before the index, which may then have newer events
                    return new SearchableBank(open.index(), lastSeq);
                });
    }

    /** The banks to evict, over all partitions: idle ones, and the least recently used ones above the limit. */
    Set<OpenBank> surplus(long now) {
        record Open(OpenBank bank, long unused, int size) {} // a snapshot, as other threads use the bank
        List<Open> oldestFirst = partitions.stream()
                .flatMap(PartitionBanks::banks)
                .map(bank -> new Open(bank, now - bank.lastUsed(), bank.size()))
                .sorted(Comparator.comparingLong(Open::unused).reversed())
                .toList();
        long size = oldestFirst.stream().mapToLong(Open::size).sum();
        var surplus = new HashSet<OpenBank>();
        for (Open open : oldestFirst) {
            boolean unneeded = open.unused() >= limits.idle().toNanos()
                    || size > limits.maxItems()
                            && open.unused() >= limits.busy().toNanos();
            if (unneeded && !open.bank().index().isHeld()) {
                surplus.add(open.bank());
                size -= open.size();
            }
        }
        return surplus;
    }

    /** Stops loading banks. */
    @Override
    public void close() {
        if (filling instanceof ExecutorService threads) {
            threads.shutdownNow();
        }
    }
}
