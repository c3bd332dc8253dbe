package dev.parley.agents.model;

import dev.parley.agents.model.wire.Pieces;
import dev.parley.domain.Ids;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnDelta.Kind;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what one call says to {@code turn-deltas}, at most one record in {@link #TOGETHER}. The first token goes at once; what a
 * call says right at its beginning waits, where its answer goes in memory, and goes with the answer if that comes soon: then a short
 * call costs no record of its own. After the first failure nothing more is sent: a watcher sees the reply when it is whole.
 */
final class DeltaSender implements ModelStream {
    private static final Logger LOG = LoggerFactory.getLogger(DeltaSender.class);
    private static final long TOGETHER = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * The first piece of a call in memory waits for so long after the hand-over: the start of its turn is in a transaction that may
     * not have reached the broker, and is to be seen first. A model that thinks for as long is not held up.
     */
    private static final long STARTED = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int MAX_PIECE = 32 << 10;
    private static final long ACKNOWLEDGED_MILLIS = 5_000;
    private static final long ABANDONED_MILLIS = 200;

    private final Producer<byte[], byte[]> producer;
    private final ScheduledExecutorService clock;
    private final String key;
    private final TurnDelta about;
    private final @Nullable String trace;
    private final boolean inMemory;
    private final StringBuilder piece = new StringBuilder();
    /** Whole pieces that have not been sent. */
    private List<TurnDelta> unsent = new ArrayList<>();

    private TurnDelta open;
    private @Nullable Future<RecordMetadata> last;
    private int count;
    private long notBefore;
    private boolean scheduled;
    private boolean closed;

    /**
     * @param about the turn, step and attempt that the deltas belong to
     * @param inMemory whether the call's answer goes in memory, and can take along what was not sent
     */
    DeltaSender(
            Producer<byte[], byte[]> producer,
            ScheduledExecutorService clock,
            String key,
            TurnDelta about,
            @Nullable String trace,
            boolean inMemory) {
        this.producer = producer;
        this.clock = clock;
        this.key = key;
        this.about = about;
        this.trace = trace;
        this.inMemory = inMemory;
        this.open = about;
        this.notBefore = System.nanoTime() + (inMemory ? STARTED : 0);
    }

    @Override
    public void text(String text) {
        add(Kind.TOKEN, text, null, null);
    }

    @Override
    public void reasoning(String text) {
        add(Kind.REASONING, text, null, null);
    }

    @Override
    public void toolArguments(String toolCallId, String toolName, String text) {
        add(Kind.TOOL_ARGUMENTS, text, toolName, toolCallId);
    }

    private synchronized void add(Kind kind, String text, @Nullable String toolName, @Nullable String toolCallId) {
        if (closed || text.isEmpty()) {
            return;
        }
        var next = new TurnDelta(about.turnId(), kind, about.step(), about.attempt(), "", toolName, toolCallId, null);
        if (!next.equals(open)) {
            endPiece();
            open = next;
        }
        piece.append(text);
        if (endsInHalfAPair()) {
            return; // its other half comes with the next piece
        }
        long early = notBefore - System.nanoTime();
        if (piece.length() >= MAX_PIECE || early <= 0) {
            flush();
        } else if (!scheduled) {
            scheduled = true;
            var _ = clock.schedule(this::flushLater, early, TimeUnit.NANOSECONDS);
        }
    }

    private synchronized void flushLater() {
        scheduled = false;
        if (!closed && !endsInHalfAPair()) {
            flush();
        }
    }

    private boolean endsInHalfAPair() {
        return !piece.isEmpty() && Character.isHighSurrogate(piece.charAt(piece.length() - 1));
    }

    private void endPiece() {
        if (!piece.isEmpty()) {
            unsent.add(new TurnDelta(
                    open.turnId(),
                    open.kind(),
                    open.step(),
                    open.attempt(),
                    Pieces.whole(piece.toString()),
                    open.toolName(),
                    open.toolCallId(),
                    null));
            piece.setLength(0);
        }
    }

    private void flush() {
        endPiece();
        notBefore = System.nanoTime() + TOGETHER;
        List<TurnDelta> sending = unsent;
        unsent = new ArrayList<>();
        try {
            for (TurnDelta delta : sending) {
                var id = Ids.of("delta", about.turnId(), about.step(), about.attempt(), count++);
                last = producer.send(RecordCodec.record(Topics.TURN_DELTAS, key, delta, id, trace));
            }
        } catch (KafkaException | IllegalStateException e) {
            giveUp(e);
        }
    }

    private void giveUp(Exception e) {
        closed = true;
        LOG.atWarn()
                .addKeyValue("session", key)
                .addKeyValue("turn", about.turnId())
                .setCause(e)
                .log("turn is not streamed any more; its reply is sent whole");
    }

    /**
     * Takes nothing more, and waits until the broker has what was sent: what comes after comes after for everybody. What was not
     * sent goes now, or {@linkplain #rest with the answer}.
     */
    void finish() throws InterruptedException {
        finish(ACKNOWLEDGED_MILLIS);
    }

    /** The same for a call that ends early: nobody waits long for it. */
    void abandon() {
        try {
            finish(ABANDONED_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What goes with the answer; it is shown once. */
    synchronized List<TurnDelta> rest() {
        List<TurnDelta> rest = unsent;
        unsent = new ArrayList<>();
        return rest;
    }

    private void finish(long millis) throws InterruptedException {
        Future<RecordMetadata> sent;
        synchronized (this) {
            if (!closed && inMemory) {
                endPiece();
            } else if (!closed) {
                flush();
            }
            closed = true;
            sent = last;
        }
        try {
            if (sent != null) {
                sent.get(millis, TimeUnit.MILLISECONDS); // one producer, one partition: the last is the last
            }
        } catch (ExecutionException | TimeoutException e) {
            giveUp(e);
        }
    }
}
