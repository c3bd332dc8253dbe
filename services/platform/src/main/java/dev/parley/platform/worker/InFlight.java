package dev.parley.platform.worker;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.platform.dispatch.Answers;
import dev.parley.platform.worker.Cancellation.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running calls of a worker, each on a virtual thread. A clock sends their heartbeats, ends calls at their
 * deadline, and answers for calls that do not stop when cancelled.
 *
 * <p>Such a call keeps its concurrency slot until it really ends: what runs is bounded.
 */
final class InFlight implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InFlight.class);
    private static final long LAST_WORDS = TimeUnit.SECONDS.toNanos(1);
    private static final long HAND_OVER = TimeUnit.SECONDS.toNanos(2);

    private final WorkerSettings settings;
    private final ResultSender sender;
    private final WorkerMeters meters;
    private final ConcurrentMap<UUID, RunningCall> calls = new ConcurrentHashMap<>();
    private final FairSlots places;
    private final ExecutorService threads;
    private final ScheduledExecutorService clock;

    InFlight(WorkerSettings settings, ResultSender sender, WorkerMeters meters) {
        this.settings = settings;
        this.sender = sender;
        this.meters = meters;
        places = new FairSlots(settings.maxCalls(), settings.maxBytes());
        meters.inFlight(places::calls, places::bytes);
        threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(settings.name() + "-", 0).factory());
        clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name(settings.name() + "-clock").daemon().factory());
        long period = Math.min(100, settings.lease().toMillis() / 10);
        var _ = clock.scheduleAtFixedRate(this::tick, period, period, TimeUnit.MILLISECONDS);
    }

    int size() {
        return places.calls();
    }

    /** Keeps a place for a call, if there is one for its project. @param key record key of the asker */
    boolean reserve(String key, int bytes) {
        return places.take(key, bytes);
    }

    /** Keeps a place whether or not there is one. */
    void reserveAnyway(String key, int bytes) {
        places.add(key, bytes);
    }

    /** The call that a place was kept for cannot be begun. */
    void release(String key, int bytes) {
        places.free(key, bytes);
    }

    /** Takes a call up for which a place is kept. */
    void start(RunningCall call) {
        meters.taken.increment();
        calls.put(call.callId(), call);
        if (!call.ask().deadline().isAfter(Instant.now())) {
            call.cancel(Reason.DEADLINE);
        }
        threads.execute(() -> carryOut(call));
    }

    private void carryOut(RunningCall call) {
        try {
            CallResult result = call.run();
            if (call.claim()) {
                answer(call, result);
            }
        } finally {
            calls.remove(call.callId(), call);
            places.free(call.context().key(), call.bytes());
        }
    }

    private void answer(RunningCall call, CallResult result) {
        meters.finished(result, call.age());
        CallResult fitting = sender.fitting(call, result);
        if (call.offer(fitting, () -> threads.execute(() -> sender.deliver(call, fitting)))
                || sender.deliver(call, fitting)) {
            call.finished();
        }
    }

    /** Whether this very call is in flight here; then its answer will be one to the newer attempt, and go where that was asked for. */
    boolean adopt(Work.Ask ask, @Nullable Answers answers) {
        RunningCall call = calls.get(ask.callId());
        boolean adopted = call != null && call.adopt(ask.attempt(), answers);
        if (adopted) {
            meters.adopted.increment();
        }
        return adopted;
    }

    /** Stops a call. @return whether it is here */
    boolean cancel(UUID callId) {
        RunningCall call = calls.get(callId);
        if (call != null) {
            call.cancel(Reason.CANCELLED);
        }
        return call != null;
    }

    /** Runs something of the worker's own beside the calls. */
    void aside(Runnable task) {
        threads.execute(task);
    }

    private void tick() {
        try {
            long interval = settings.lease().toNanos() / 3;
            Instant now = Instant.now();
            for (RunningCall call : calls.values()) {
                tick(call, interval, now);
            }
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("worker timer failed");
        }
    }

    private void tick(RunningCall call, long interval, Instant now) {
        if (call.signDue(interval)) {
            meters.progress.increment();
            if (!call.offerSign(sender.sign(call))) {
                sender.progress(call);
            }
            threads.execute(call::progress);
        }
        if (now.isAfter(call.ask().deadline())) {
            call.cancel(Reason.DEADLINE);
        }
        if (call.overdue(LAST_WORDS) && call.claim()) {
            threads.execute(() -> {
                answer(call, call.failure("did not stop"));
                calls.remove(call.callId(), call);
            });
        }
    }

    /** Ends what still runs and asks for it to be carried out elsewhere, at once rather than when the lease lapses. */
    void handOver() {
        var mine = calls.values().stream().filter(RunningCall::claim).toList();
        mine.forEach(call -> call.cancel(Reason.SHUTDOWN));
        await(() -> places.calls() == 0, LAST_WORDS);
        var given = new AtomicInteger(mine.size());
        for (RunningCall call : mine) {
            threads.execute(() -> {
                answer(call, new RetryAfter(call.callId(), call.attempt(), Duration.ZERO, "the worker stopped"));
                given.decrementAndGet();
            });
        }
        if (!await(() -> given.get() == 0, HAND_OVER)) {
            LOG.atWarn().addKeyValue("calls", given.get()).log("calls in flight are left to lease expiry");
        }
    }

    private static boolean await(BooleanSupplier condition, long nanos) {
        long end = System.nanoTime() + nanos;
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        return condition.getAsBoolean();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        threads.shutdownNow();
    }
}
