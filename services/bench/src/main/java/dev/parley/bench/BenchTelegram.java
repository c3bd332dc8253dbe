package dev.parley.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley bench telegram}: latency of replies in many chats, within Telegram's rate limits. */
@Command(
        name = "telegram",
        mixinStandardHelpOptions = true,
        description =
                "From the moment at which Telegram has a person's message to the moment at which the whole reply is"
                        + " visible. A double of Telegram with its limits, and Parley, share this machine; the model takes no"
                        + " time.")
final class BenchTelegram implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final double OLDEST = 5;
    private static final double SHARE = 0.9;

    @Option(names = "--chats", defaultValue = "500", paramLabel = "N", description = "private chats (${DEFAULT-VALUE})")
    private int chats;

    @Option(
            names = "--rate",
            defaultValue = "25",
            paramLabel = "N",
            description = "messages a second in all chats together, at random times (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            paramLabel = "N",
            description = "length of the steady measurement (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--burst",
            defaultValue = "500",
            paramLabel = "N",
            description = "messages at once in the second measurement (${DEFAULT-VALUE})")
    private int burst;

    @Option(
            names = "--warm-up",
            defaultValue = "30",
            paramLabel = "N",
            description = "seconds of steady load before anything is measured (${DEFAULT-VALUE})")
    private int warmUp;

    @Option(
            names = "--words",
            defaultValue = "40",
            paramLabel = "N",
            description = "words in a reply (${DEFAULT-VALUE})")
    private int words;

    @Option(
            names = "--latency",
            defaultValue = "0",
            paramLabel = "MS",
            description = "latency of each call to Telegram, a random part of it before arrival (${DEFAULT-VALUE})")
    private int latency;

    @Option(
            names = "--bot-limit",
            defaultValue = "30",
            paramLabel = "N",
            description = "new messages that the bot may send in any second (${DEFAULT-VALUE})")
    private int botLimit;

    @Option(
            names = "--chat-burst",
            defaultValue = "3",
            paramLabel = "N",
            description =
                    "messages and changes that a chat takes at once, and one a second after it (${DEFAULT-VALUE})")
    private int chatBurst;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "random seed (${DEFAULT-VALUE})")
    private long seed;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path token = Files.createTempFile("parley-bench", ".token");
        try (var telegram = new TelegramDouble(new TelegramLimits(botLimit, chatBurst), Duration.ofMillis(latency))) {
            Files.writeString(token, TelegramDouble.TOKEN);
            Bench.run("""
                    telegram:
                      - { name: bench, token: "file:%s", apiUrl: "%s", allowAll: true }
                    """.formatted(token, telegram.url()), _ -> measure(telegram));
        } finally {
            Files.deleteIfExists(token);
        }
        return 0;
    }

    private void measure(TelegramDouble telegram) throws InterruptedException {
        System.out.printf(
                "seed %d, %d chats, replies of %d words, calls of %d ms; permitted: %d messages/s, in a chat %d at once and"
                        + " 1/s%n",
                seed, chats, words, latency, botLimit, chatBurst);
        if (!telegram.awaitPoll(TIMEOUT)) {
            throw new IllegalStateException("The bot does not ask for updates.");
        }
        var times = new Random(seed);
        var warm = new TelegramLoad(telegram, words);
        steady(warm, warmUp, times);
        System.out.printf("warm-up of %d s: %d refused%n", warmUp, warm.refusedCount());
        target("first words within 150 ms, frames 0.3 to 20 s apart", new TelegramDrafts(telegram).measure());
        measureSteady(telegram, times);
        measureBurst(telegram);
    }

    private void measureSteady(TelegramDouble telegram, Random times) throws InterruptedException {
        var load = new TelegramLoad(telegram, words);
        var time = Stopwatch.ofProcess();
        steady(load, seconds, times);
        print("%d messages/s for %d s".formatted(rate, seconds), load, time.cpuSeconds());
        target("oldest at most 5 s, none refused", load.oldestSeconds() <= OLDEST && load.refusedCount() == 0);
    }

    private void measureBurst(TelegramDouble telegram) throws InterruptedException {
        var load = new TelegramLoad(telegram, words);
        var time = Stopwatch.ofProcess();
        for (int i = 0; i < burst; i++) {
            load.send(1 + i % chats);
        }
        load.await(TIMEOUT.toNanos());
        print("%d messages at once".formatted(burst), load, time.cpuSeconds());
        double share = load.sends() / (botLimit * load.sendingSeconds());
        System.out.printf(
                "    %d messages sent in %.2f s: %.1f %% of the permitted rate%n",
                load.sends(), load.sendingSeconds(), share * 100);
        target("at least 90 % of the permitted rate, none refused", share >= SHARE && load.refusedCount() == 0);
    }

    /** Sends messages at random times, from people without an open question. */
    private void steady(TelegramLoad load, int length, Random times) throws InterruptedException {
        var people = new Random(seed);
        long next = System.nanoTime();
        long end = next + TimeUnit.SECONDS.toNanos(length);
        while (next < end) {
            TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
            Set<Long> waiting = load.waiting();
            long person = 1L + people.nextInt(chats);
            while (waiting.size() < chats && waiting.contains(person)) {
                person = 1L + people.nextInt(chats);
            }
            load.send(person);
            next += (long) (-Math.log(1 - times.nextDouble()) / rate * TimeUnit.SECONDS.toNanos(1));
        }
        load.await(TIMEOUT.toNanos());
    }

    private static void print(String label, TelegramLoad load, double cpuSeconds) {
        Bench.print(label, load.micros());
        double took = load.seconds();
        int calls = load.calls().values().stream().mapToInt(Number::intValue).sum();
        System.out.printf(
                "    %d answered, %d not, %d calls refused, %d of them inside a wait; oldest unanswered %.2f s%n",
                load.micros().getTotalCount(),
                load.unansweredCount(),
                load.refusedCount(),
                load.refusedAgainCount(),
                load.oldestSeconds());
        System.out.printf(
                "    %.1f calls/s in %.1f s (%s), JVM used %.2f cores%n",
                calls / took,
                took,
                load.calls().entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .sorted()
                        .collect(Collectors.joining(", ")),
                cpuSeconds / took);
    }

    private static void target(String description, boolean isMet) {
        System.out.printf("    target (%s): %s%n", description, isMet ? "met" : "MISSED");
    }
}
