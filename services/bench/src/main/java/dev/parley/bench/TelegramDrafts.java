package dev.parley.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/**
 * Watches answers that grow, some as drafts and some by edits alone: when their first words are visible, the intervals
 * of frames, and the calls.
 */
final class TelegramDrafts implements TelegramDouble.Listener {
    private static final long PERSON = 9_000_001;
    private static final int ANSWERS = 20;
    private static final int APART_MS = 750;
    private static final long THINKING_MS = 1_000;
    private static final String LAST = "lastword";

    private final TelegramDouble telegram;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private volatile CountDownLatch answered = new CountDownLatch(ANSWERS);

    /** An answer in its chat. */
    private static final class Answer {
        private final long asked = System.nanoTime();
        private final List<Long> frames = Collections.synchronizedList(new ArrayList<>());
        private final AtomicInteger calls = new AtomicInteger();
        private volatile long firstWords;
    }

    TelegramDrafts(TelegramDouble telegram) {
        this.telegram = telegram;
        telegram.listener(this);
    }

    /** Asks for answers, and prints what was seen; returns whether it was seen in time. */
    boolean measure() throws InterruptedException {
        boolean isWarm = ask(PERSON, false);
        answers.clear();
        boolean drafted = ask(PERSON + ANSWERS, true);
        var first = new Histogram(TimeUnit.HOURS.toMicros(1), 3);
        var gaps = new Histogram(TimeUnit.HOURS.toMicros(1), 3);
        for (Answer answer : answers.values()) {
            drafted &= answer.firstWords != 0;
            long micros = TimeUnit.NANOSECONDS.toMicros(answer.firstWords - answer.asked);
            first.recordValue(Math.max(0, micros - TimeUnit.MILLISECONDS.toMicros(THINKING_MS)));
            for (int i = 1; i < answer.frames.size(); i++) {
                gaps.recordValue(TimeUnit.NANOSECONDS.toMicros(answer.frames.get(i) - answer.frames.get(i - 1)));
            }
        }
        double calls = callsPerAnswer();
        answers.clear();
        boolean edited = ask(TelegramDouble.WITHOUT_DRAFTS, true);
        double edits = callsPerAnswer();
        if (!isWarm || !drafted || !edited || gaps.getTotalCount() == 0) {
            System.out.println("growing answers: not all seen");
            return false;
        }
        Bench.print("first draft with words after the first token", first);
        Bench.print("interval of drafts", gaps);
        System.out.printf(
                "    %d answers of 60 words over 6 s: drafts %d to %d ms apart; %.1f calls an answer, %.1f by edits alone%n",
                ANSWERS, gaps.getMinValue() / 1_000, gaps.getMaxValue() / 1_000, calls, edits);
        return first.getValueAtPercentile(95) <= 150_000
                && gaps.getMinValue() >= 290_000
                && gaps.getMaxValue() <= 20_000_000;
    }

    /** Asks one person after the other, and waits for all answers. */
    private boolean ask(long from, boolean isMeasured) throws InterruptedException {
        answered = new CountDownLatch(ANSWERS);
        for (int i = 0; i < ANSWERS; i++) {
            answers.put(Long.toString(from + i), new Answer());
            telegram.message(from + i, "!delay " + THINKING_MS + "ms\n!stream 60 words over 6s\n!say " + LAST);
            TimeUnit.MILLISECONDS.sleep(isMeasured ? APART_MS : APART_MS / 3);
        }
        boolean all = answered.await(60, TimeUnit.SECONDS);
        TimeUnit.SECONDS.sleep(1); // the last edits
        return all;
    }

    private double callsPerAnswer() {
        return answers.values().stream()
                .mapToInt(answer -> answer.calls.get())
                .average()
                .orElse(0);
    }

    @Override
    public void onCall(String method, String chat) {
        Answer answer = answers.get(chat);
        if (answer != null) {
            answer.calls.incrementAndGet();
        }
    }

    @Override
    public void onDraft(String chat, String text, long nanos) {
        Answer answer = answers.get(chat);
        if (answer != null) {
            answer.frames.add(nanos);
            if (!text.isEmpty() && answer.firstWords == 0) {
                answer.firstWords = nanos;
            }
        }
    }

    @Override
    public void onVisible(String text, boolean isNew, long nanos) {
        if (text.contains(LAST)) {
            answered.countDown();
        }
    }
}
