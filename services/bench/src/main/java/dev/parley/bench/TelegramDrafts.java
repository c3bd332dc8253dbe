package dev.parley.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Watches one answer that grows as a draft: when its first words are visible, its frames, and the calls. */
final class TelegramDrafts implements TelegramDouble.Listener {
    private static final long PERSON = 9_000_001;
    private static final long THINKING_MS = 1_000;
    private static final String LAST = "lastword";

    private final TelegramDouble telegram;
    private final List<Long> frames = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile long firstWords;

    TelegramDrafts(TelegramDouble telegram) {
        this.telegram = telegram;
        telegram.listener(this);
    }

    /** Asks for an answer, and prints what was seen; returns whether it was seen in time. */
    boolean measure() throws InterruptedException {
        long asked = System.nanoTime();
        telegram.message(PERSON, "!delay " + THINKING_MS + "ms\n!stream 60 words over 6s\n!say " + LAST);
        if (!answered.await(60, TimeUnit.SECONDS) || firstWords == 0) {
            System.out.println("growing answer: not seen");
            return false;
        }
        long first = TimeUnit.NANOSECONDS.toMillis(firstWords - asked) - THINKING_MS;
        long shortest = Long.MAX_VALUE;
        long longest = 0;
        for (int i = 1; i < frames.size(); i++) {
            long gap = TimeUnit.NANOSECONDS.toMillis(frames.get(i) - frames.get(i - 1));
            shortest = Math.min(shortest, gap);
            longest = Math.max(longest, gap);
        }
        System.out.printf(
                "growing answer: first words visible at most %d ms after the model's first token (intake included);"
                        + " %d frames, %d to %d ms apart; %d calls%n",
                first, frames.size(), shortest, longest, calls.get());
        return first <= 150 && shortest >= 290 && longest <= 20_000;
    }

    @Override
    public void onCall(String method) {
        if (!method.equals("getUpdates")) {
            calls.incrementAndGet();
        }
    }

    @Override
    public void onDraft(String text, long nanos) {
        frames.add(nanos);
        if (!text.isEmpty() && firstWords == 0) {
            firstWords = nanos;
        }
    }

    @Override
    public void onVisible(String text, boolean isNew, long nanos) {
        if (text.contains(LAST)) {
            answered.countDown();
        }
    }
}
