package dev.parley.bench;

import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.LinkType;
import dev.parley.memory.recall.EvidenceReranker;
import dev.parley.memory.recall.Recall;
import dev.parley.memory.recall.RecallQuestion;
import dev.parley.memory.recall.Recalled;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.search.SearchFilter;
import dev.parley.memory.search.SearchHit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.lucene.util.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench memory}: throughput of adding units to the index of a bank, and latency of recall. */
@Command(
        name = "memory",
        mixinStandardHelpOptions = true,
        description =
                "Search and recall over synthetic memory units, in this process: no broker, no database, no model.")
final class BenchMemory implements Callable<Integer> {
    /** Bytes; a million were measured with 6 GiB. */
    private static final long HEAP_OF_UNIT = 5_700;

    private static final int OF_BANK = 400;
    private static final int WARM_UP = 200;
    private static final int QUESTIONS = 400;
    private static final int EXACT_QUESTIONS = 50;
    private static final int TOP = 50;
    private static final double FLOOR = 0.7;
    private static final int LINKED = 20;
    private static final int LAST = 10_000;
    private static final int WARM_UP_FACTS = 10_000;

    /** Recall as of a moment compares all vectors: as of the far future it is exact. */
    private static final SearchFilter AT_THE_END =
            SearchFilter.NONE.asOf(SyntheticUnits.START.plus(Duration.ofDays(100_000)));

    private static final List<Integer> SIZES = List.of(10_000, 100_000, 1_000_000);

    @Option(
            names = "--units",
            defaultValue = "100000",
            paramLabel = "N",
            description =
                    "of the big bank, measured at 10,000 and 100,000 on the way; 0 for none (${DEFAULT-VALUE}). A million need PARLEY_HEAP=6g")
    private int units;

    @Option(
            names = "--banks",
            defaultValue = "200",
            paramLabel = "N",
            description =
                    "of 400 units each, all open at once; 0 for none (${DEFAULT-VALUE}). 5,000 need PARLEY_HEAP=12g")
    private int banks;

    @Option(
            names = "--facts",
            defaultValue = "20000",
            paramLabel = "N",
            description =
                    "that a bank finds in turns by rules, links and consolidates; then turns are erased. 0 for none"
                            + " (${DEFAULT-VALUE})")
    private int facts;

    @Option(
            names = "--given",
            defaultValue = "20000",
            paramLabel = "N",
            description = "the same, with facts from a model; 0 for none (${DEFAULT-VALUE})")
    private int modelFacts;

    @Option(
            names = "--erase",
            defaultValue = "100",
            paramLabel = "N",
            description = "turns to erase from that bank (${DEFAULT-VALUE})")
    private int erased;

    @Option(
            names = "--clients",
            defaultValue = "16",
            paramLabel = "N",
            description = "concurrent clients (${DEFAULT-VALUE})")
    private int clients;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            paramLabel = "N",
            description = "length of the measurement of concurrent clients (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "random seed (${DEFAULT-VALUE})")
    private long seed;

    private final Recall recall = new Recall(new EvidenceReranker());

    @Override
    public Integer call() throws Exception {
        long room = Runtime.getRuntime().maxMemory();
        long limit =
                Math.max(Math.max(units, (long) banks * OF_BANK), Math.max(facts, modelFacts)); // one after the other
        if (room < limit * HEAP_OF_UNIT) {
            System.err.printf(
                    "%,d units need some %,d MiB of heap, and there are %,d: set PARLEY_HEAP, or take fewer --units or --banks%n",
                    limit, limit * HEAP_OF_UNIT >> 20, room >> 20);
            return 1;
        }
        Bench.printMachine();
        System.out.printf("lucene %s, seed %d%n", Version.LATEST, seed);
        try (TemporaryFolder folder = TemporaryFolder.create()) {
            measure(folder, banks, this::measureManyBanks);
            measure(folder, facts, indexes -> measureLearning(indexes, facts, false));
            measure(folder, modelFacts, indexes -> measureLearning(indexes, modelFacts, true));
            measure(folder, units, indexes -> measureSingleBank(indexes.of("one")));
        }
        return 0;
    }

    @FunctionalInterface
    private interface Measurement {
        void of(Indexes indexes) throws Exception;
    }

    /** @param size 0 skips the measurement */
    private static void measure(TemporaryFolder folder, int size, Measurement measurement) throws Exception {
        if (size > 0) {
            try (var indexes = new Indexes(folder.path())) {
                measurement.of(indexes);
            }
        }
    }

    private void measureSingleBank(Index index) throws Exception {
        var synthetic = new SyntheticUnits(seed, units);
        int before = 0;
        for (int size : sizes(units)) {
            measureFilling(index, synthetic, before, size);
            before = size;
            measureRecall("  recall, 1 client", () -> index, synthetic);
            System.out.printf(
                    "  of the exact top %d found: %.4f, of the links of the last units: %.4f%n",
                    TOP, shareOfTop(index, synthetic), shareOfLinks(index, synthetic, size));
            System.out.printf("  %d clients: %.0f questions/s%n", clients, throughput(index, synthetic));
        }
    }

    /** Adds units up to a size, the last ones as the writer of a bank does. */
    private static void measureFilling(Index index, SyntheticUnits synthetic, int before, int size) {
        int last = Math.min(LAST, size - before);
        var loading = Stopwatch.ofThread();
        load(index, synthetic, before, size - last);
        double loaded = loading.seconds();
        var retaining = Stopwatch.ofThread();
        retain(index, synthetic, size - last, size);
        double rate = last / retaining.seconds();
        double cpuRate = last / retaining.cpuSeconds();
        System.out.printf("%n%,d units, %,d MiB of heap in use%n", size, heap());
        if (size - last > before) {
            System.out.printf("  filled as after a take-over: %,.0f units/s%n", (size - last - before) / loaded);
        }
        System.out.printf(
                "  the last %,d looked up, put and linked: %,.0f units/s, %,.0f a second of a core%n",
                last, rate, cpuRate);
    }

    private static void load(Index index, SyntheticUnits synthetic, int from, int to) {
        for (int i = from; i < to; i++) {
            SyntheticUnits.Unit unit = synthetic.unit(i);
            index.put(unit.item(), unit.embedding());
        }
    }

    /** Adds units as the writer of a bank does: looks up similar and simultaneous units, puts the unit and links it. */
    private static void retain(Index index, SyntheticUnits synthetic, int from, int to) {
        for (int i = from; i < to; i++) {
            SyntheticUnits.Unit unit = synthetic.unit(i);
            var similar = index.nearest(unit.embedding(), FactType.WORLD, FLOOR, LINKED);
            index.around(synthetic.time(i), FactType.WORLD, LINKED);
            index.put(unit.item(), unit.embedding());
            similar.forEach(neighbour -> index.link(
                    unit.item().id(), neighbour.id(), LinkType.SEMANTIC, Math.min(1, neighbour.similarity())));
        }
    }

    /** Wall and processor time of operations on this thread. */
    private static final class OperationTimes {
        private final Histogram wall = new Histogram(3);
        private final Histogram processor = new Histogram(3);

        void record(Stopwatch time) {
            wall.recordValue((long) (time.seconds() * 1e6));
            processor.recordValue((long) (time.cpuSeconds() * 1e6));
        }

        void print(String label) {
            Bench.print(label, wall);
            Bench.print("    processor time", processor);
        }
    }

    private void measureRecall(String label, Supplier<Index> bank, SyntheticUnits synthetic) {
        var random = new SplittableRandom(seed + 1);
        for (int i = 0; i < WARM_UP; i++) {
            recall.run(bank.get(), synthetic.question(random));
        }
        var times = new OperationTimes();
        var steps = new LinkedHashMap<String, Long>();
        for (int i = 0; i < QUESTIONS; i++) {
            RecallQuestion question = synthetic.question(random);
            var time = Stopwatch.ofThread();
            Recalled recalled = recall.run(bank.get(), question);
            times.record(time);
            recalled.trace().times().forEach((step, nanos) -> steps.merge(step, nanos, Long::sum));
        }
        times.print(label);
        System.out.println("    of it on average: "
                + steps.entrySet().stream()
                        .map(step -> "%s %.2f ms".formatted(step.getKey(), step.getValue() / 1e6 / QUESTIONS))
                        .collect(Collectors.joining(", ")));
    }

    /** The share of the exact nearest units that a search finds. */
    private double shareOfTop(Index index, SyntheticUnits synthetic) {
        var random = new SplittableRandom(seed + 2);
        double sum = 0;
        for (int i = 0; i < EXACT_QUESTIONS; i++) {
            Embedding question = synthetic.embedding(random);
            Set<Integer> exact = top(index, question, AT_THE_END);
            var common = new HashSet<>(top(index, question, SearchFilter.NONE));
            common.retainAll(exact);
            sum += (double) common.size() / exact.size();
        }
        return sum / EXACT_QUESTIONS;
    }

    /** The share of the units close enough for a link that the writer finds. */
    private static double shareOfLinks(Index index, SyntheticUnits synthetic, int size) {
        long found = 0;
        long exact = 0;
        for (int i = size - EXACT_QUESTIONS; i < size; i++) {
            Embedding embedding = synthetic.unit(i).embedding();
            found += index.nearest(embedding, FactType.WORLD, FLOOR, LINKED).size();
            exact += index.read(AT_THE_END, view -> view.nearest(embedding, FLOOR, LINKED))
                    .size();
        }
        return (double) found / Math.max(1, exact);
    }

    private static Set<Integer> top(Index index, Embedding question, SearchFilter filter) {
        return index.read(filter, view -> view.nearest(question, -1, TOP)).stream()
                .map(SearchHit::row)
                .collect(Collectors.toSet());
    }

    /** Questions per second of concurrent clients. */
    private double throughput(Index index, SyntheticUnits synthetic) throws Exception {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long answered = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            var counts = new ArrayList<Future<Integer>>();
            for (int client = 0; client < clients; client++) {
                var random = new SplittableRandom(seed + 100 + client);
                counts.add(threads.submit(() -> {
                    int count = 0;
                    for (; System.nanoTime() < end; count++) {
                        recall.run(index, synthetic.question(random));
                    }
                    return count;
                }));
            }
            for (Future<Integer> count : counts) {
                answered += count.get();
            }
        }
        return (double) answered / seconds;
    }

    private static List<Integer> sizes(int limit) {
        return Stream.concat(SIZES.stream().filter(size -> size < limit), Stream.of(limit))
                .toList();
    }

    private static void retain(LearningBank bank, int facts) {
        while (bank.size() < facts) {
            bank.retainTurn();
        }
    }

    private void measureLearning(Indexes indexes, int facts, boolean byModel) {
        retain(new LearningBank(indexes.of("warm-up"), seed + 1, byModel), WARM_UP_FACTS);
        indexes.drop("warm-up");
        System.out.println();
        var bank = new LearningBank(indexes.of("learning"), seed, byModel);
        for (int size : sizes(facts)) {
            retain(bank, size - LAST);
            int before = bank.size();
            var time = Stopwatch.ofThread();
            retain(bank, size);
            int retained = bank.size() - before;
            double rate = retained / time.seconds();
            double cpuRate = retained / time.cpuSeconds();
            System.out.printf(
                    "%,d facts and observations %s, linked, consolidated: the last %,d %,.0f/s, %,.0f a second of a core; %,d MiB of heap%n",
                    bank.size(), byModel ? "given" : "found by rules", retained, rate, cpuRate, heap());
        }
        measureErasure(bank);
    }

    private void measureErasure(LearningBank bank) {
        var times = new OperationTimes();
        for (int i = 0; i < Math.min(erased, bank.turns()); i++) {
            int turn = (int) ((long) i * bank.turns() / erased);
            var time = Stopwatch.ofThread();
            bank.erase(turn);
            times.record(time);
        }
        times.print("  a turn erased: decided, taken out of the index");
    }

    private void measureManyBanks(Indexes indexes) {
        var synthetic = new SyntheticUnits(seed, OF_BANK * 10);
        long before = heap();
        var time = Stopwatch.ofThread();
        for (int bank = 0; bank < banks; bank++) {
            load(indexes, bank, synthetic);
        }
        double took = time.seconds();
        System.out.printf(
                "%n%,d banks of %d units filled in %.0f s (%,.0f units/s), %,d MiB of heap%n",
                banks, OF_BANK, took, banks * OF_BANK / took, heap() - before);
        var random = new SplittableRandom(seed + 3);
        measureRecall("  recall, 1 client, any bank", () -> indexes.of("bank " + random.nextInt(banks)), synthetic);
        measureRecall(
                "  the same, of one that is filled first",
                () -> {
                    int bank = random.nextInt(banks);
                    indexes.drop("bank " + bank);
                    return load(indexes, bank, synthetic);
                },
                synthetic);
    }

    private static Index load(Indexes indexes, int bank, SyntheticUnits synthetic) {
        Index index = indexes.of("bank " + bank);
        load(index, synthetic, bank * OF_BANK, (bank + 1) * OF_BANK);
        return index;
    }

    private static long heap() {
        return Bench.usedHeap() >> 20;
    }
}
