package dev.parley.server.bench;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Sends messages to a bot, and records when the whole reply of each was visible. */
final class TelegramLoad implements TelegramDouble.Audience {
    private static final Pattern END = Pattern.compile("\\bend(\\d+)\\b");
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final TelegramDouble telegram;
    private final String reply;
    private final Histogram micros = new SynchronizedHistogram(TimeUnit.HOURS.toMicros(1), 3);
    private final Map<Integer, Asked> open = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final AtomicInteger sends = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger refusedAgain = new AtomicInteger();
    private final AtomicLong lastSend = new AtomicLong();
    private final long begin = System.nanoTime();

    private record Asked(long person, long at) {}

    /** @param words in each reply */
    TelegramLoad(TelegramDouble telegram, int words) {
        this.telegram = telegram;
        this.reply = "word ".repeat(words);
        telegram.tell(this);
    }

    /** Somebody asks something; the answer ends with a number that nothing else has. */
    void ask(long person) {
        int number = NUMBERS.incrementAndGet();
        open.put(number, new Asked(person, System.nanoTime()));
        telegram.says(person, "!say %send%d".formatted(reply, number));
    }

    /** Who waits for an answer. */
    Set<Long> waiting() {
        var people = new HashSet<Long>();
        open.values().forEach(asked -> people.add(asked.person()));
        return people;
    }

    /** Waits until everything is answered. False where that takes too long. */
    boolean await(long nanos) throws InterruptedException {
        long until = System.nanoTime() + nanos;
        while (!open.isEmpty() && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return open.isEmpty();
    }

    @Override
    public void called(String method) {
        calls.computeIfAbsent(method, _ -> new AtomicInteger()).incrementAndGet();
    }

    @Override
    public void refused(String method, boolean again) {
        refused.incrementAndGet();
        if (again) {
            refusedAgain.incrementAndGet();
        }
    }

    @Override
    public void visible(String text, boolean isNew, long at) {
        if (isNew) {
            sends.incrementAndGet();
            lastSend.accumulateAndGet(at, Math::max);
        }
        Matcher end = END.matcher(text);
        if (end.find()) {
            Asked asked = open.remove(Integer.valueOf(end.group(1)));
            if (asked != null) {
                micros.recordValue((at - asked.at()) / 1_000);
            }
        }
    }

    Histogram micros() {
        return micros;
    }

    int unanswered() {
        return open.size();
    }

    int sends() {
        return sends.get();
    }

    int refused() {
        return refused.get();
    }

    /** Refused because the bot had been told to wait and did not. */
    int refusedAgain() {
        return refusedAgain.get();
    }

    /** How long the longest waited, or still waits. */
    double oldestSeconds() {
        long now = System.nanoTime();
        long waits = open.values().stream()
                .mapToLong(asked -> now - asked.at())
                .max()
                .orElse(0);
        return Math.max(waits / 1e9, micros.getMaxValue() / 1e6);
    }

    /** From the beginning to the last new message. */
    double sendingSeconds() {
        return (lastSend.get() - begin) / 1e9;
    }

    double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    Map<String, AtomicInteger> calls() {
        return calls;
    }
}
