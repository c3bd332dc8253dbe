package dev.parley.channels.bots.delivery;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.GrowingAnswer.Activity;
import dev.parley.channels.contract.GrowingAnswer.State;
import dev.parley.channels.contract.Growth;
import dev.parley.domain.protocol.TurnDelta;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A running turn: the answer streamed so far, and the part of it that its chat shows. Times are in nanoseconds. */
final class LiveTurn {
    /** Minimum length of the first text that a message shows, in characters. */
    private static final int MIN_FIRST = 40;

    private static final int MAX_TEXT = 64 << 10;
    private static final Duration TYPING_INTERVAL = Duration.ofSeconds(4);
    /** Wait before a preview without words: an answer that begins at once needs none. */
    private static final Duration THINKING = Duration.ofMillis(250);
    /** Interval after the first frames of a preview, without words and with them; it doubles with each frame. */
    private static final Duration SHORTEST = Duration.ofMillis(300);

    private static final int MAX_DOUBLED = 10;
    /** Interval of frames of a preview that does not change; platforms drop a preview after 30 s. */
    private static final Duration REFRESH = Duration.ofSeconds(15);

    final UUID turn;
    final ConversationAddress address;
    private final StringBuilder text = new StringBuilder();
    private final SequencedMap<String, Activity> activities = new LinkedHashMap<>();
    /** Progress reported by the agent; it takes precedence over the name of a tool. */
    private String progress = "";

    private int step = -1;
    private boolean ended;

    /** Reference of the message that shows the turn, or null. */
    @Nullable
    String message;

    /** Reference of the preview that the ledger knows, or null. */
    @Nullable
    String preview;

    /** Whether it was found that the reply is still to be sent. */
    boolean awaitsReply;

    /** What the chat shows, or null. */
    private @Nullable GrowingAnswer shown;

    private final long begunAt;
    private long shownAt;
    private long nextTyping;
    private long nextFrame;
    /** Frames of a preview with words so far, at most {@link #MAX_DOUBLED}. */
    private int previewed;
    /** Time of the last delta. */
    long lastDelta;

    LiveTurn(UUID turn, ConversationAddress address, long now) {
        this.turn = turn;
        this.address = address;
        begunAt = now;
        nextTyping = now;
        nextFrame = now;
        lastDelta = now;
    }

    /** The message that shows the turn. */
    ReplyDelivery.Outgoing outgoing() {
        return new ReplyDelivery.Outgoing(turn, 0, address, new Delivery(turn + "-0", turn, null, true));
    }

    /** Applies a delta. */
    void onDelta(TurnDelta delta, long now) {
        lastDelta = now;
        switch (delta.kind()) {
            case TOKEN -> {
                if (delta.step() > step) {
                    begin(delta.step());
                }
                if (text.length() < MAX_TEXT) {
                    text.append(delta.text());
                }
            }
            case RETRY -> begin(delta.step());
            case TOOL_CALL -> begin(activity(delta, State.RUNNING));
            case TOOL_RESULT -> {
                boolean failed = delta.text().startsWith("error:");
                activities.computeIfPresent(
                        id(delta),
                        (_, activity) -> failed
                                ? activity.in(State.FAILED)
                                : activity.in(State.DONE).from(Sources.of(delta.text())));
            }
            case DONE, ERROR -> ended = true;
            case PROGRESS -> progress = delta.text();
            case STARTED, REASONING, TOOL_ARGUMENTS, MESSAGE, APPROVAL, CALLER_CALL -> {}
        }
    }

    private void begin(int next) {
        step = next;
        text.setLength(0);
        settle();
    }

    private void begin(Activity activity) {
        activities.remove(activity.id());
        activities.put(activity.id(), activity);
        if (activities.size() > GrowingAnswer.MAX_ACTIVITIES) {
            activities.pollFirstEntry();
        }
    }

    private static Activity activity(TurnDelta delta, State state) {
        String name = delta.toolName() == null ? "tool" : delta.toolName();
        return new Activity(id(delta), name.replace('_', ' ').strip(), state);
    }

    /** Models number the calls of each step anew. */
    private static String id(TurnDelta delta) {
        return delta.step() + "-" + delta.toolCallId();
    }

    /** The model goes on, so its calls have ended, also where their results were not streamed. */
    private void settle() {
        activities.replaceAll((_, activity) -> activity.state() == State.RUNNING ? activity.in(State.DONE) : activity);
    }

    /** The message now shows an earlier reply. */
    void forget() {
        message = null;
        shown = null;
        text.setLength(0);
        settle();
    }

    /** The answer so far. */
    GrowingAnswer answer() {
        return new GrowingAnswer(turn, text.toString(), progress, List.copyOf(activities.values()));
    }

    /** Time at which the answer is to be shown next, if nothing else comes. */
    long nextFrame(Growth growth) {
        GrowingAnswer answer = answer();
        boolean changed = !answer.equals(shown);
        return switch (growth) {
            case NONE -> Long.MAX_VALUE;
            case MESSAGE -> changed && isEnough(answer) ? nextFrame : Long.MAX_VALUE;
            case PREVIEW -> {
                if (!changed) {
                    yield Math.max(nextFrame, shownAt + REFRESH.toNanos());
                }
                boolean thinking = shown == null && answer.words().isEmpty();
                yield thinking ? Math.max(nextFrame, begunAt + THINKING.toNanos()) : nextFrame;
            }
        };
    }

    private boolean isEnough(GrowingAnswer answer) {
        return message != null
                ? !answer.words().isEmpty()
                : answer.text().length() >= MIN_FIRST || !answer.status().isEmpty();
    }

    /** Time at which something is to be shown next, if nothing else comes. */
    long next(Growth growth) {
        long frame = nextFrame(growth);
        return growth == Growth.PREVIEW ? frame : Math.min(frame, nextTyping);
    }

    /** Whether a typing indicator is due, which is then shown; a preview is one itself. */
    boolean takeTyping(Growth growth, long now) {
        if (growth == Growth.PREVIEW || nextTyping > now) {
            return false;
        }
        nextTyping = now + TYPING_INTERVAL.toNanos();
        return true;
    }

    /** Whether a frame is due, which is then shown. */
    boolean takeFrame(Growth growth, Duration interval, long now) {
        if (nextFrame(growth) > now) {
            return false;
        }
        nextFrame = now + (growth == Growth.PREVIEW ? previewInterval(interval) : interval).toNanos();
        return true;
    }

    /** Words come fast at first, where they are awaited, and then as edits would. */
    private Duration previewInterval(Duration interval) {
        Duration early = SHORTEST.multipliedBy(1L << previewed);
        if (!answer().words().isEmpty() && previewed < MAX_DOUBLED) {
            previewed++;
        }
        return early.compareTo(interval) < 0 ? early : interval;
    }

    /** The chat shows this. */
    void onShown(GrowingAnswer answer, long now) {
        shown = answer;
        shownAt = now;
    }

    /** Ends the streaming: later text is not shown. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }
}
