package dev.parley.bench;

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
final class TelegramLoad implements TelegramDouble.Listener {
    private static final Pattern END = Pattern.compile("\\bend(\\d+)\\b");
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final TelegramDouble telegram;
    private final String reply;
    private final Histogram micros = new SynchronizedHistogram(TimeUnit.HOURS.toMicros(1), 3);
    private final Map<Integer, Question> open = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final AtomicInteger sends = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger refusedAgain = new AtomicInteger();
    private final AtomicLong lastSend = new AtomicLong();
    private final long start = System.nanoTime();

    private record Question(long person, long at) {}

    /** @param words in each reply */
    TelegramLoad(TelegramDouble telegram, int words) {
        this.telegram = telegram;
        this.reply = "word ".repeat(words);
        telegram.listener(this);
    }

    /** Sends a message whose reply ends with a unique number. */
    void send(long person) {
        int number = NUMBERS.incrementAndGet();
        open.put(number, new Question(person, System.nanoTime()));
        telegram.message(person, "!say %send%d".formatted(reply, number));
    }

    /** The people with an open question. */
    Set<Long> waiting() {
        var people = new HashSet<Long>();
        open.values().forEach(question -> people.add(question.person()));
        return people;
    }

    /** Waits until everything is answered; returns false after the time limit. */
    boolean await(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        while (!open.isEmpty() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return open.isEmpty();
    }

    @Override
    public void onCall(String method, String chat) {
        calls.computeIfAbsent(method, _ -> new AtomicInteger()).incrementAndGet();
    }

    @Override
    public void onRefused(String method, boolean again) {
        refused.incrementAndGet();
        if (again) {
            refusedAgain.incrementAndGet();
        }
    }

    @Override
    public void onVisible(String text, boolean isNew, long nanos) {
        if (isNew) {
            sends.incrementAndGet();
            lastSend.accumulateAndGet(nanos, Math::max);
        }
        Matcher end = END.matcher(text);
        if (end.find()) {
            Question question = open.remove(Integer.valueOf(end.group(1)));
            if (question != null) {
                micros.recordValue((nanos - question.at()) / 1_000);
            }
        }
    }

    Histogram micros() {
        return micros;
    }

    int unansweredCount() {
        return open.size();
    }

    int sends() {
        return sends.get();
    }

    int refusedCount() {
        return refused.get();
    }

    /** Calls refused because the bot ignored a previous wait. */
    int refusedAgainCount() {
        return refusedAgain.get();
    }

    /** The longest time that a question was, or is, open. */
    double oldestSeconds() {
        long now = System.nanoTime();
        long waits = open.values().stream()
                .mapToLong(question -> now - question.at())
                .max()
                .orElse(0);
        return Math.max(waits / 1e9, micros.getMaxValue() / 1e6);
    }

    /** Time from the beginning to the last new message. */
    double sendingSeconds() {
        return (lastSend.get() - start) / 1e9;
    }

    double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    Map<String, AtomicInteger> calls() {
        return calls;
    }
}
