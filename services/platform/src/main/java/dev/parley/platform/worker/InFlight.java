package dev.parley.platform.worker;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.platform.dispatch.ResultReceiver;
import dev.parley.platform.worker.Cancellation.Reason;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running calls of a worker, each on a virtual thread. A clock sends their heartbeats, ends calls at their
 * deadline, and completes calls that do not stop when cancelled; these keep their slots until they really end.
 */
final class InFlight implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InFlight.class);
    private static final long CANCEL_GRACE = TimeUnit.SECONDS.toNanos(1);
    private static final long HAND_OVER = TimeUnit.SECONDS.toNanos(2);
    /** Longest time between two ticks in which a loaded process still runs. */
    private static final long MAX_TICK = TimeUnit.SECONDS.toNanos(1);

    private final WorkerSettings settings;
    private final ResultSender sender;
    private final WorkerMeters meters;
    private final ConcurrentMap<UUID, RunningCall> calls = new ConcurrentHashMap<>();
    private final FairSlots slots;
    private final ExecutorService threads;
    private final ScheduledExecutorService clock;
    private final long period;
    /** Whether the clock ticks: while calls run. */
    private final AtomicBoolean ticking = new AtomicBoolean();

    private long lastTick;

    InFlight(WorkerSettings settings, ResultSender sender, WorkerMeters meters) {
        this.settings = settings;
        this.sender = sender;
        this.meters = meters;
        slots = new FairSlots(settings.maxCalls(), settings.maxBytes());
        meters.inFlight(slots::calls, slots::bytes);
        threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(settings.name() + "-", 0).factory());
        clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name(settings.name() + "-clock").daemon().factory());
        period = Math.min(100, settings.lease().toMillis() / 10);
    }

    int size() {
        return slots.calls();
    }

    /**
     * Takes a slot for a call, if one is free for its project.
     *
     * @param key record key of the requester
     */
    boolean reserve(String key, int bytes) {
        return slots.take(key, bytes);
    }

    /** Takes a slot beyond the limits. */
    void reserveAnyway(String key, int bytes) {
        slots.add(key, bytes);
    }

    /** Frees the slot of a call that cannot be started. */
    void release(String key, int bytes) {
        slots.free(key, bytes);
    }

    /** Starts a call that has a slot. */
    void start(RunningCall call) {
        meters.taken.increment();
        calls.put(call.callId(), call);
        startClock();
        if (!call.mayRun()) {
            call.cancel(Reason.DEADLINE);
        }
        threads.execute(() -> execute(call));
    }

    private void execute(RunningCall call) {
        try {
            CallResult result = call.run();
            if (call.claim()) {
                complete(call, result);
            }
        } finally {
            calls.remove(call.callId(), call);
            slots.free(call.context().key(), call.bytes());
        }
    }

    private void complete(RunningCall call, CallResult result) {
        meters.recordCall(result, call.age());
        CallResult fitting = sender.fitting(call, result);
        if (call.offer(fitting, () -> threads.execute(() -> sender.deliver(call, fitting)))
                || sender.deliver(call, fitting)) {
            call.finish();
        }
    }

    /** Whether the call is running here; its result then belongs to the newer attempt, and goes to its receiver. */
    boolean adopt(WorkerRequest.Call request, @Nullable ResultReceiver answers) {
        RunningCall call = calls.get(request.callId());
        boolean adopted = call != null && call.adopt(request, answers);
        if (adopted) {
            meters.adopted.increment();
        }
        return adopted;
    }

    /** Stops a call; returns whether it runs here. */
    boolean cancel(UUID callId) {
        RunningCall call = calls.get(callId);
        if (call != null) {
            call.cancel(Reason.CANCELLED);
        }
        return call != null;
    }

    /** Runs a task concurrently with the calls. */
    void run(Runnable task) {
        threads.execute(task);
    }

    private void startClock() {
        if (ticking.compareAndSet(false, true)) {
            lastTick = System.nanoTime();
            scheduleTick();
        }
    }

    private void scheduleTick() {
        try {
            var _ = clock.schedule((Runnable) this::tick, period, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // closed
        }
    }

    private void tick() {
        tickAll();
        if (!calls.isEmpty()) {
            scheduleTick();
            return;
        }
        ticking.set(false);
        if (!calls.isEmpty()) { // started meanwhile
            startClock();
        }
    }

    private void tickAll() {
        try {
            long interval = settings.lease().toNanos() / 3;
            long ran = ranSinceLastTick();
            for (RunningCall call : calls.values()) {
                tick(call, interval, ran);
            }
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("worker timer failed");
        }
    }

    /** Time since the last tick; a pause of the process counts as {@link #MAX_TICK}. */
    private long ranSinceLastTick() {
        long now = System.nanoTime();
        long passed = now - lastTick;
        lastTick = now;
        return Math.min(passed, MAX_TICK);
    }

    private void tick(RunningCall call, long interval, long ran) {
        if (call.heartbeatDue(interval)) {
            meters.progress.increment();
            if (!call.offerHeartbeat(sender.heartbeat(call))) {
                sender.sendHeartbeat(call);
            }
            threads.execute(call::progress);
        }
        if (call.ran(ran)) {
            call.cancel(Reason.DEADLINE);
        }
        if (call.overdue(CANCEL_GRACE) && call.claim()) {
            threads.execute(() -> {
                complete(call, call.failure("did not stop"));
                calls.remove(call.callId(), call);
            });
        }
    }

    /**
     * Ends running calls with a result that requests them elsewhere immediately, instead of when their lease expires.
     */
    void handOver() {
        var claimed = calls.values().stream().filter(RunningCall::claim).toList();
        claimed.forEach(call -> call.cancel(Reason.SHUTDOWN));
        await(() -> slots.calls() == 0, CANCEL_GRACE);
        var pending = new AtomicInteger(claimed.size());
        for (RunningCall call : claimed) {
            threads.execute(() -> {
                complete(call, new RetryAfter(call.callId(), call.attempt(), Duration.ZERO, "the worker stopped"));
                pending.decrementAndGet();
            });
        }
        if (!await(() -> pending.get() == 0, HAND_OVER)) {
            LOG.atWarn().addKeyValue("calls", pending.get()).log("calls in flight are left to lease expiry");
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
