package dev.parley.bench;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.platform.gateway.CommandGateway;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Submits turns to a running instance, and measures from the command to the end of the turn. */
final class TurnLoad {
    /** Maximum of recorded latencies; longer ones count as this. */
    static final long HIGHEST_MICROS = Duration.ofMinutes(5).toNanos() / 1_000;

    private static final Duration PROGRESS = Duration.ofSeconds(10);

    private final CommandGateway gateway;
    private final UUID host;
    private final String project;
    private final String text;
    private final String run;
    private final Histogram micros = new ConcurrentHistogram(HIGHEST_MICROS, 3);
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger completed = new AtomicInteger();
    private final Semaphore inFlight;
    private final int maxInFlight;

    /**
     * @param project key of the project of the sessions
     * @param text of each message
     * @param run part of the session keys, which separates runs
     * @param maxInFlight maximum of turns in flight
     */
    TurnLoad(CommandGateway gateway, UUID host, String project, String text, String run, int maxInFlight) {
        this.gateway = gateway;
        this.host = host;
        this.project = project;
        this.text = text;
        this.run = run;
        this.maxInFlight = maxInFlight;
        this.inFlight = new Semaphore(maxInFlight);
    }

    /**
     * The results of a run.
     *
     * @param micros latencies in microseconds
     */
    record Figures(Histogram micros, int completed, int failed, Duration took) {
        double perSecond() {
            return completed * 1e9 / took.toNanos();
        }
    }

    /** Submits turns at a fixed rate, which slow answers do not reduce. */
    Figures atRate(int perSecond, Duration length, int sessions) throws InterruptedException {
        long start = System.nanoTime();
        long gap = 1_000_000_000L / perSecond;
        long turns = length.toNanos() / gap;
        for (long i = 0; i < turns; i++) {
            long due = start + i * gap;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            submit(i, sessions, due);
        }
        return figures(start);
    }

    /** Submits turns as fast as possible, with a bounded number in flight. */
    Figures asFastAsPossible(Duration length, int sessions) throws InterruptedException {
        long start = System.nanoTime();
        long printedAt = start;
        int before = 0;
        for (long i = 0; System.nanoTime() - start < length.toNanos(); i++) {
            submit(i, sessions, 0);
            long elapsed = System.nanoTime() - printedAt;
            if (elapsed > PROGRESS.toNanos()) {
                int now = completed.get();
                System.out.printf("    ... %.0f turns/s%n", (now - before) * 1e9 / elapsed);
                printedAt += elapsed;
                before = now;
            }
        }
        return figures(start);
    }

    private Figures figures(long start) throws InterruptedException {
        inFlight.acquire(maxInFlight);
        return new Figures(micros, completed.get(), failed.get(), Duration.ofNanos(System.nanoTime() - start));
    }

    private void submit(long i, int sessions, long due) throws InterruptedException {
        inFlight.acquire();
        long from = due == 0 ? System.nanoTime() : due;
        var key = new RecordKey(project, "bench:" + run + ":" + i % sessions);
        String ref = run + "-" + i;
        CommandGateway.Ticket ticket = gateway.send(key, command(key.turnId(Origin.API.code(), ref), ref));
        var _ = ticket.finished()
                .orTimeout(2, TimeUnit.MINUTES)
                .whenComplete((finished, failure) -> onEnded(ticket, finished, failure, from));
    }

    private SubmitTurn command(UUID turnId, String ref) {
        var meta = new CommandMeta(turnId, host, Instant.now(), null, gateway.outcomePartition(), null);
        return new SubmitTurn(
                meta,
                Origin.API,
                ref,
                MailboxMode.FOLLOWUP,
                null,
                null,
                List.of(Block.text(text)),
                "bench",
                null,
                null,
                null);
    }

    private void onEnded(CommandGateway.Ticket ticket, Outcome.Finished finished, Throwable failure, long from) {
        if (failure == null && finished.state() == TurnState.COMPLETED) {
            micros.recordValue(Math.min((System.nanoTime() - from) / 1_000, HIGHEST_MICROS));
            completed.incrementAndGet();
        } else {
            failed.incrementAndGet();
        }
        ticket.close();
        inFlight.release();
    }
}
