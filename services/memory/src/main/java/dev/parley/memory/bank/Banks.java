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

/** The banks that this process owns, whatever partition they are in. */
public final class Banks implements AutoCloseable {
    /** Large banks that are filled at the same time; the others wait. */
    private static final int FILLED_AT_ONCE = 2;

    private final Indexes indexes;
    private final Limits limits;
    private final Executor filling;
    private final List<PartitionBanks> partitions = new CopyOnWriteArrayList<>();

    /**
     * What this process has room for.
     *
     * @param large a bank with more events is filled beside the thread that writes
     * @param filling how long that thread fills banks in one transaction; for what remains then there are others
     * @param erased most events that it erases at once; what is above waits for other transactions
     * @param most passages and units in memory; above that the banks that were not used for the longest time are put away
     * @param busy no bank is put away that was used so short a time ago
     * @param idle a bank that was not used for so long is put away
     */
    record Limits(long large, Duration filling, int erased, long most, Duration busy, Duration idle) {
        /** Shorter than the brokers wait for a process that is silent before they give its partitions to another one. */
        private static final Duration OWNED = Duration.ofSeconds(3);

        /** Half of Java's memory, and 3 KB for each thing, with what a bank knows of it. */
        static Limits ofThisProcess() {
            return new Limits(
                    2_000,
                    Duration.ofMillis(500),
                    5_000,
                    Runtime.getRuntime().maxMemory() / 2 / 3_072,
                    Duration.ofSeconds(2),
                    Duration.ofMinutes(30));
        }

        /** A partition that its writer has had so short a time ago is still its own. */
        Duration owned() {
            return OWNED;
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

    /** @param filling fills large banks, each from its beginning to its end */
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

    /** Holds the banks of one partition; empty at first. It is known here until it is closed. */
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
     * A bank that may be asked beside the thread that writes it.
     *
     * @param known number of the newest event that is found
     */
    public record Answering(Index index, long known) {}

    /** The bank of this key, where it is open here and this process has its partition. Any thread. */
    public Optional<Answering> answering(RecordKey bank) {
        return answering(bank, System.nanoTime());
    }

    Optional<Answering> answering(RecordKey bank, long now) {
        return partitions.stream()
                .flatMap(partitionBanks -> partitionBanks.answering(bank, now).stream())
                .findFirst()
                .map(open -> {
                    long known = open.known(); // before the index is read: what it has more does no harm
                    return new Answering(open.index(), known);
                });
    }

    /** The banks that are to be put away, on whatever partitionBanks: who is idle, and who was used longest ago where there are too many. */
    Set<OpenBank> surplus(long now) {
        record Open(OpenBank bank, long unused, int size) {} // as it is now, for others go on using it
        List<Open> oldestFirst = partitions.stream()
                .flatMap(PartitionBanks::banks)
                .map(bank -> new Open(bank, now - bank.used(), bank.size()))
                .sorted(Comparator.comparingLong(Open::unused).reversed())
                .toList();
        long size = oldestFirst.stream().mapToLong(Open::size).sum();
        var surplus = new HashSet<OpenBank>();
        for (Open open : oldestFirst) {
            boolean unneeded = open.unused() >= limits.idle().toNanos()
                    || size > limits.most() && open.unused() >= limits.busy().toNanos();
            if (unneeded && !open.bank().index().isHeld()) {
                surplus.add(open.bank());
                size -= open.size();
            }
        }
        return surplus;
    }

    /** Fills no bank any more. */
    @Override
    public void close() {
        if (filling instanceof ExecutorService threads) {
            threads.shutdownNow();
        }
    }
}
