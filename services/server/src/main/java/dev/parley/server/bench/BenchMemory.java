package dev.parley.server.bench;

import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.LinkType;
import dev.parley.memory.recall.Evidence;
import dev.parley.memory.recall.Question;
import dev.parley.memory.recall.Recall;
import dev.parley.memory.recall.Recalled;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Filter;
import dev.parley.memory.search.Found;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.Indexes;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.Kind;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
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

/**
 * {@code parley bench memory}: how fast units go into the index of a bank, and how fast recall is over it. It is long by its options and by what it
 * makes up.
 */
@Command(
        name = "memory",
        mixinStandardHelpOptions = true,
        description =
                "Search and recall over synthetic memory units, in this process: no broker, no database, no model.")
final class BenchMemory implements Callable<Integer> {
    /** Bytes; a million were measured with 6 GiB. */
    private static final long HEAP_OF_UNIT = 5_700;

    private static final int DIMENSIONS = 384;
    private static final int OF_BANK = 400;
    private static final int WARM_UP = 200;
    private static final int QUESTIONS = 400;
    private static final int EXACT_QUESTIONS = 50;
    private static final int TOP = 50;
    private static final double FLOOR = 0.7;
    private static final int LINKED = 20;
    private static final int LAST = 10_000;
    private static final int WARM_UP_FACTS = 10_000;
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    /** Whoever asks as of a moment has all vectors compared: as of the end of time that is what is known now. */
    private static final Filter AT_THE_END = Filter.NONE.asOf(START.plus(Duration.ofDays(100_000)));

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
    private int given;

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

    private final Recall recall = new Recall(new Evidence());

    @Override
    public Integer call() throws Exception {
        long room = Runtime.getRuntime().maxMemory();
        long most = Math.max(Math.max(units, (long) banks * OF_BANK), Math.max(facts, given)); // one after the other
        if (room < most * HEAP_OF_UNIT) {
            System.err.printf(
                    "%,d units need some %,d MiB of heap, and there are %,d: set PARLEY_HEAP, or take fewer --units or --banks%n",
                    most, most * HEAP_OF_UNIT >> 20, room >> 20);
            return 1;
        }
        Bench.printMachine();
        System.out.printf("lucene %s, seed %d%n", Version.LATEST, seed);
        try (TemporaryFolder folder = TemporaryFolder.create()) {
            measure(folder, banks, this::measureMany);
            measure(folder, facts, indexes -> measureLearning(indexes, facts, false));
            measure(folder, given, indexes -> measureLearning(indexes, given, true));
            measure(folder, units, indexes -> measureOne(indexes.of("one")));
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

    private void measureOne(Index index) throws Exception {
        var made = new MadeUnits(seed, units);
        int there = 0;
        for (int size : sizes(units)) {
            int last = Math.min(LAST, size - there);
            long begun = System.nanoTime();
            load(index, made, there, size - last);
            long loaded = System.nanoTime();
            long cpu = cpu();
            retain(index, made, size - last, size);
            double rate = last / ((System.nanoTime() - loaded) / 1e9);
            double cpuRate = last / ((cpu() - cpu) / 1e9);
            System.out.printf("%n%,d units, %,d MiB of heap in use%n", size, heap());
            if (size - last > there) {
                System.out.printf(
                        "  filled as after a take-over: %,.0f units/s%n",
                        (size - last - there) / ((loaded - begun) / 1e9));
            }
            System.out.printf(
                    "  the last %,d looked up, put and linked: %,.0f units/s, %,.0f a second of a core%n",
                    last, rate, cpuRate);
            there = size;
            ask("  recall, 1 client", () -> index, made);
            System.out.printf(
                    "  of the exact top %d found: %.4f, of the links of the last units: %.4f%n",
                    TOP, found(index, made), linked(index, made, size));
            System.out.printf("  %d clients: %.0f questions/s%n", clients, together(index, made));
        }
    }

    /** Of this thread: on a machine that others use, too, it says more than the clock. */
    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void load(Index index, MadeUnits made, int from, int to) {
        for (int i = from; i < to; i++) {
            MadeUnits.Unit unit = made.unit(i);
            index.put(unit.item(), unit.embedding());
        }
    }

    /** As the writer of a bank does it: looks for what is alike and what was at the same time, puts the unit, links it. */
    private static void retain(Index index, MadeUnits made, int from, int to) {
        for (int i = from; i < to; i++) {
            MadeUnits.Unit unit = made.unit(i);
            var alike = index.nearest(unit.embedding(), FactType.WORLD, FLOOR, LINKED);
            index.around(made.time(i), FactType.WORLD, LINKED);
            index.put(unit.item(), unit.embedding());
            alike.forEach(
                    near -> index.link(unit.item().id(), near.id(), LinkType.SEMANTIC, Math.min(1, near.closeness())));
        }
    }

    private void ask(String what, Supplier<Index> bank, MadeUnits made) {
        var random = new SplittableRandom(seed + 1);
        for (int i = 0; i < WARM_UP; i++) {
            recall.run(bank.get(), made.question(random));
        }
        var times = new Histogram(3);
        var processor = new Histogram(3);
        var steps = new LinkedHashMap<String, Long>();
        for (int i = 0; i < QUESTIONS; i++) {
            Question question = made.question(random);
            long begun = System.nanoTime();
            long cpu = cpu();
            Index index = bank.get();
            Recalled recalled = recall.run(index, question);
            times.recordValue((System.nanoTime() - begun) / 1_000);
            processor.recordValue((cpu() - cpu) / 1_000);
            recalled.trace().times().forEach((step, nanos) -> steps.merge(step, nanos, Long::sum));
        }
        Bench.print(what, times);
        Bench.print("    processor time", processor);
        System.out.println("    of it on average: "
                + steps.entrySet().stream()
                        .map(step -> "%s %.2f ms".formatted(step.getKey(), step.getValue() / 1e6 / QUESTIONS))
                        .collect(Collectors.joining(", ")));
    }

    private double found(Index index, MadeUnits made) {
        var random = new SplittableRandom(seed + 2);
        double sum = 0;
        for (int i = 0; i < EXACT_QUESTIONS; i++) {
            Embedding asked = made.asked(random);
            Set<Integer> exact = top(index, asked, AT_THE_END);
            var both = new HashSet<>(top(index, asked, Filter.NONE));
            both.retainAll(exact);
            sum += (double) both.size() / exact.size();
        }
        return sum / EXACT_QUESTIONS;
    }

    /** Of what is at least as close as links have to be, how much the writer finds. */
    private static double linked(Index index, MadeUnits made, int size) {
        long found = 0;
        long there = 0;
        for (int i = size - EXACT_QUESTIONS; i < size; i++) {
            Embedding embedding = made.unit(i).embedding();
            found += index.nearest(embedding, FactType.WORLD, FLOOR, LINKED).size();
            there += index.read(AT_THE_END, view -> view.nearest(embedding, FLOOR, LINKED))
                    .size();
        }
        return (double) found / Math.max(1, there);
    }

    private static Set<Integer> top(Index index, Embedding asked, Filter filter) {
        return index.read(filter, view -> view.nearest(asked, -1, TOP)).stream()
                .map(Found::row)
                .collect(Collectors.toSet());
    }

    private double together(Index index, MadeUnits made) throws Exception {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long answered = 0;
        try (ExecutorService all = Executors.newFixedThreadPool(clients)) {
            var asking = new ArrayList<Future<Integer>>();
            for (int client = 0; client < clients; client++) {
                var random = new SplittableRandom(seed + 100 + client);
                asking.add(all.submit(() -> {
                    int count = 0;
                    for (; System.nanoTime() < end; count++) {
                        recall.run(index, made.question(random));
                    }
                    return count;
                }));
            }
            for (Future<Integer> one : asking) {
                answered += one.get();
            }
        }
        return (double) answered / seconds;
    }

    private static List<Integer> sizes(int most) {
        return Stream.concat(SIZES.stream().filter(size -> size < most), Stream.of(most))
                .toList();
    }

    private static void learn(LearningBank bank, int until) {
        while (bank.size() < until) {
            bank.turn();
        }
    }

    private void measureLearning(Indexes indexes, int facts, boolean given) {
        learn(new LearningBank(indexes.of("warm-up"), seed + 1, given), WARM_UP_FACTS);
        indexes.drop("warm-up");
        System.out.println();
        var bank = new LearningBank(indexes.of("learning"), seed, given);
        for (int size : sizes(facts)) {
            learn(bank, size - LAST);
            int before = bank.size();
            long begun = System.nanoTime();
            long cpu = cpu();
            learn(bank, size);
            int learned = bank.size() - before;
            double rate = learned / ((System.nanoTime() - begun) / 1e9);
            double cpuRate = learned / ((cpu() - cpu) / 1e9);
            System.out.printf(
                    "%,d facts and observations %s, linked, consolidated: the last %,d %,.0f/s, %,.0f a second of a core; %,d MiB of heap%n",
                    bank.size(), given ? "given" : "found by rules", learned, rate, cpuRate, heap());
        }
        var times = new Histogram(3);
        var processor = new Histogram(3);
        for (int i = 0; i < Math.min(erased, bank.turns()); i++) {
            long begun = System.nanoTime();
            long cpu = cpu();
            bank.erase((int) ((long) i * bank.turns() / erased));
            times.recordValue((System.nanoTime() - begun) / 1_000);
            processor.recordValue((cpu() - cpu) / 1_000);
        }
        Bench.print("  a turn erased: decided, taken out of the index", times);
        Bench.print("    processor time", processor);
    }

    private void measureMany(Indexes indexes) {
        var made = new MadeUnits(seed, OF_BANK * 10);
        long before = heap();
        long begun = System.nanoTime();
        for (int bank = 0; bank < banks; bank++) {
            load(indexes.of("bank " + bank), made, bank * OF_BANK, (bank + 1) * OF_BANK);
        }
        double took = (System.nanoTime() - begun) / 1e9;
        System.out.printf(
                "%n%,d banks of %d units filled in %.0f s (%,.0f units/s), %,d MiB of heap%n",
                banks, OF_BANK, took, banks * OF_BANK / took, heap() - before);
        var random = new SplittableRandom(seed + 3);
        ask("  recall, 1 client, any bank", () -> indexes.of("bank " + random.nextInt(banks)), made);
        ask(
                "  the same, of one that is filled first",
                () -> {
                    int bank = random.nextInt(banks);
                    indexes.drop("bank " + bank);
                    Index index = indexes.of("bank " + bank);
                    load(index, made, bank * OF_BANK, (bank + 1) * OF_BANK);
                    return index;
                },
                made);
    }

    private static long heap() {
        return Bench.usedHeap() >> 20;
    }

    /** Units that are made of their number: vectors in clusters, words as often as words are. */
    private static final class MadeUnits {
        private static final int OF_CLUSTER = 100;
        private static final int WORDS = 50_000;
        private static final int LENGTH = 20;
        private static final int ASKED = 7;
        private static final int OF_TOPIC = 20;
        private static final double APART = 0.8;
        private static final double NOISE = 0.6;

        private final long seed;
        private final int clusters;
        private final int entities;

        MadeUnits(long seed, int units) {
            this.seed = seed;
            clusters = Math.max(10, units / OF_CLUSTER);
            entities = Math.max(10, units / 20);
        }

        record Unit(Item item, Embedding embedding) {}

        Unit unit(int number) {
            var random = new SplittableRandom(seed * 1_000_003 + number);
            Embedding embedding = meaning(random.nextInt(clusters), random);
            Item item = Item.of(
                            "u%08d".formatted(number), Kind.UNIT, FactType.WORLD, text(LENGTH, random), time(number))
                    .at(null, time(number))
                    .withEntities(List.of("e" + zipf(entities, random), "e" + zipf(entities, random)));
            return new Unit(item, embedding);
        }

        Instant time(int number) {
            return START.plusSeconds(number * 60L);
        }

        Question question(SplittableRandom random) {
            return Question.of(text(ASKED, random), asked(random));
        }

        Embedding asked(SplittableRandom random) {
            return meaning(random.nextInt(clusters), random);
        }

        /** Clusters have topics, as what people talk about has. */
        private Embedding meaning(int cluster, SplittableRandom random) {
            var topic = new SplittableRandom(seed * 104_729 + cluster / OF_TOPIC);
            var centre = new SplittableRandom(seed * 7_919 + cluster);
            float[] vector = new float[DIMENSIONS];
            for (int i = 0; i < vector.length; i++) {
                vector[i] = (float) (gauss(topic) + APART * gauss(centre) + NOISE * gauss(random));
            }
            return new Embedding("made", vector);
        }

        /** Near enough to a normal one, and fast. */
        private static double gauss(SplittableRandom random) {
            return random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
        }

        private static String text(int length, SplittableRandom random) {
            return Stream.generate(() -> "w" + zipf(WORDS, random))
                    .limit(length)
                    .collect(Collectors.joining(" "));
        }

        /** The number n about 1/n times as often as the number 1. */
        private static int zipf(int most, SplittableRandom random) {
            return (int) Math.exp(random.nextDouble() * Math.log(most));
        }
    }
}
