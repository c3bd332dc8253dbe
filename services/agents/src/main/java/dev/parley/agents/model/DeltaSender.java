package dev.parley.agents.model;

import dev.parley.agents.model.wire.StreamedText;
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
 * Sends the stream deltas of one call to {@code turn-deltas}, at most one record per {@link #BATCH_NANOS 20 ms}. The
 * first token is sent at once. If the result is delivered in memory, deltas of the first {@link #START_NANOS 100 ms}
 * wait and travel with a result that comes that soon, so that a short call costs no record of its own. After the first
 * failure nothing more is sent: subscribers see the complete reply only.
 */
final class DeltaSender implements ModelStream {
    private static final Logger LOG = LoggerFactory.getLogger(DeltaSender.class);
    private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * Time for which the first delta of an in-memory call is held back: the event that starts its turn is in a
     * transaction that may not be committed yet, and must be visible first. A model that needs longer for its first
     * token is not delayed.
     */
    private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int MAX_PIECE = 32 << 10;
    private static final long FINISH_TIMEOUT_MILLIS = 5_000;
    private static final long ABANDON_TIMEOUT_MILLIS = 200;

    private final Producer<byte[], byte[]> producer;
    private final ScheduledExecutorService clock;
    private final String key;
    private final TurnDelta template;
    private final @Nullable String trace;
    private final boolean inMemory;
    private final StringBuilder piece = new StringBuilder();
    /** Complete deltas that are not sent yet. */
    private List<TurnDelta> unsent = new ArrayList<>();

    private TurnDelta open;
    private @Nullable Future<RecordMetadata> last;
    private int count;
    private long notBefore;
    private boolean scheduled;
    private boolean closed;

    /**
     * @param template the turn, step and attempt that the deltas belong to
     * @param inMemory whether the result is delivered in memory and can carry unsent deltas
     */
    DeltaSender(
            Producer<byte[], byte[]> producer,
            ScheduledExecutorService clock,
            String key,
            TurnDelta template,
            @Nullable String trace,
            boolean inMemory) {
        this.producer = producer;
        this.clock = clock;
        this.key = key;
        this.template = template;
        this.trace = trace;
        this.inMemory = inMemory;
        this.open = template;
        this.notBefore = System.nanoTime() + (inMemory ? START_NANOS : 0);
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
        var next = new TurnDelta(
                template.turnId(), kind, template.step(), template.attempt(), "", toolName, toolCallId, null);
        if (!next.equals(open)) {
            endPiece();
            open = next;
        }
        piece.append(text);
        if (endsInHalfPair()) {
            return; // the low surrogate comes with the next piece
        }
        long waitNanos = notBefore - System.nanoTime();
        if (piece.length() >= MAX_PIECE || waitNanos <= 0) {
            flush();
        } else if (!scheduled) {
            scheduled = true;
            var _ = clock.schedule(this::flushLater, waitNanos, TimeUnit.NANOSECONDS);
        }
    }

    private synchronized void flushLater() {
        scheduled = false;
        if (!closed && !endsInHalfPair()) {
            flush();
        }
    }

    private boolean endsInHalfPair() {
        return !piece.isEmpty() && Character.isHighSurrogate(piece.charAt(piece.length() - 1));
    }

    private void endPiece() {
        if (!piece.isEmpty()) {
            unsent.add(new TurnDelta(
                    open.turnId(),
                    open.kind(),
                    open.step(),
                    open.attempt(),
                    StreamedText.replaceUnpairedSurrogates(piece.toString()),
                    open.toolName(),
                    open.toolCallId(),
                    null));
            piece.setLength(0);
        }
    }

    private void flush() {
        endPiece();
        notBefore = System.nanoTime() + BATCH_NANOS;
        List<TurnDelta> sending = unsent;
        unsent = new ArrayList<>();
        try {
            for (TurnDelta delta : sending) {
                var id = Ids.of("delta", template.turnId(), template.step(), template.attempt(), count++);
                last = producer.send(RecordCodec.record(Topics.TURN_DELTAS, key, delta, id, trace));
            }
        } catch (KafkaException | IllegalStateException e) {
            stop(e);
        }
    }

    private void stop(Exception e) {
        closed = true;
        LOG.atWarn()
                .addKeyValue("session", key)
                .addKeyValue("turn", template.turnId())
                .setCause(e)
                .log("streaming of the turn stopped; subscribers see the complete reply only");
    }

    /**
     * Closes the stream and waits up to 5 s until the broker has acknowledged it, so that the result follows its
     * deltas. Unsent deltas are sent now, or {@linkplain #unsent with the result}.
     */
    void finish() throws InterruptedException {
        finish(FINISH_TIMEOUT_MILLIS);
    }

    /** Closes the stream of a call that ends early; waits up to 200 ms for the broker. */
    void abandon() {
        try {
            finish(ABANDON_TIMEOUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The unsent deltas, for the result to carry; returned once. */
    synchronized List<TurnDelta> unsent() {
        List<TurnDelta> deltas = unsent;
        unsent = new ArrayList<>();
        return deltas;
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
                sent.get(
                        millis, TimeUnit.MILLISECONDS); // one producer and one partition: the last one acknowledges all
            }
        } catch (ExecutionException | TimeoutException e) {
            stop(e);
        }
    }
}
