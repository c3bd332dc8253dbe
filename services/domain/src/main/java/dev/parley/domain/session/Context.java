package dev.parley.domain.session;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The model's context: the entries [{@code from}, {@code next}), after the summary.
 *
 * @param first the oldest entry that is still stored
 * @param bytes total size of all entries ever; {@code bytes - base} is that of the current ones
 * @param summary replaces the turns up to {@code summaryUpTo}, or null
 * @param turns starts of the turns in the context, oldest first
 * @param marks points to return to
 * @param reversion reverted turns that can be restored, or null; their entries stay stored. Any other change of the
 *     context ends it
 */
@RecordBuilder
public record Context(
        long first,
        long from,
        long next,
        long bytes,
        long base,
        @Nullable String summary,
        long summaryUpTo,
        List<TurnStart> turns,
        Map<String, Mark> marks,
        @Nullable Reversion reversion)
        implements ContextBuilder.With {
    public static final Context EMPTY = new Context(0, 0, 0, 0, 0, null, 0, List.of(), Map.of(), null);

    public Context {
        turns = List.copyOf(turns);
        marks = Map.copyOf(marks);
    }

    /** Approximate tokens of the current entries and the summary, at four characters each. */
    public long tokens() {
        return (bytes - base + (summary == null ? 0 : summary.length())) / 4;
    }

    /** The first index after all stored entries. */
    public long end() {
        return reversion == null ? next : reversion.before().next();
    }

    /** One more entry. */
    public Context append(long weight) {
        return withoutReversion().next(next + 1).bytes(bytes + weight).build();
    }

    /** An entry is reserved; its size is added when it is known. */
    public Context addWeight(long weight) {
        return withoutReversion().bytes(bytes + weight).build();
    }

    /** A turn starts with the next entry. */
    public Context turnStarted(UUID turnId, long seq) {
        var extended = new ArrayList<>(turns);
        extended.add(new TurnStart(turnId, seq, next, bytes));
        return withoutReversion().turns(extended).build();
    }

    /** The context is empty; marks stay. */
    public Context clear() {
        return startingAt(next, bytes, null, 0, List.of())
                .first(firstKeptEntry(next))
                .build();
    }

    /** The context and all its history are dropped. */
    public Context forget() {
        return seed(null);
    }

    /** The context consists of this text only. */
    public Context seed(@Nullable String text) {
        return startingAt(next, bytes, text, 0, List.of())
                .first(next)
                .marks(Map.of())
                .build();
    }

    /** A summary replaces the entries before {@code cut}. */
    public Context summarise(String text, long upTo, long cut) {
        var remaining = turns.stream().filter(turn -> turn.entry() >= cut).toList();
        long weight = remaining.isEmpty() ? bytes : remaining.getFirst().bytes();
        return startingAt(cut, weight, text, upTo, remaining)
                .first(firstKeptEntry(cut))
                .build();
    }

    private ContextBuilder startingAt(
            long entry, long weight, @Nullable String text, long upTo, List<TurnStart> turns) {
        return withoutReversion()
                .from(entry)
                .base(weight)
                .summary(text)
                .summaryUpTo(upTo)
                .turns(turns);
    }

    private long firstKeptEntry(long entry) {
        return marks.values().stream().mapToLong(Mark::from).reduce(entry, Math::min);
    }

    /** Marks the current point. */
    public Context addMark(String label) {
        var extended = new HashMap<>(marks);
        extended.put(label, mark());
        return withMarks(extended);
    }

    /** Returns to a mark. */
    public Context rewind(String label) {
        Mark mark = Objects.requireNonNull(marks.get(label), label);
        return at(mark, earlier(mark.next()));
    }

    /** Drops the last turn. */
    public Context undo() {
        return before(turns.size() - 1).build();
    }

    /**
     * Reverts the turn of this number and all later ones, restorably.
     *
     * @param seq number of the reverting event
     * @param call the call that reverts the files
     */
    public Context revert(long turnSeq, long seq, UUID call) {
        int turn =
                turns.size() - 1; // own turns come last: those of a session that this one is a fork of have its numbers
        while (turns.get(turn).seq() != turnSeq) {
            turn--;
        }
        return before(turn)
                .reversion(
                        reversion == null
                                ? new Reversion(seq, List.of(call), mark(), marks)
                                : new Reversion(
                                        reversion.seq(),
                                        Stream.concat(Stream.of(call), reversion.calls().stream())
                                                .toList(),
                                        reversion.before(),
                                        reversion.marks()))
                .build();
    }

    /** Restores what was reverted. */
    public Context unrevert() {
        Reversion reverted = Objects.requireNonNull(reversion, "no turn is reverted");
        var merged = new HashMap<>(reverted.marks());
        merged.putAll(marks); // marks set since the reversion
        return at(reverted.before(), merged);
    }

    /** Any other change makes a revert final. */
    private ContextBuilder withoutReversion() {
        return with().reversion(null);
    }

    private ContextBuilder before(int turn) {
        TurnStart cut = turns.get(turn);
        return withoutReversion()
                .next(cut.entry())
                .bytes(cut.bytes())
                .turns(turns.subList(0, turn))
                .marks(earlier(cut.entry()));
    }

    private Mark mark() {
        return new Mark(from, next, bytes, base, summary, summaryUpTo, turns);
    }

    private Context at(Mark mark, Map<String, Mark> remaining) {
        return startingAt(mark.from(), mark.base(), mark.summary(), mark.summaryUpTo(), mark.turns())
                .next(mark.next())
                .bytes(mark.bytes())
                .marks(remaining)
                .build();
    }

    /** Marks after the point returned to are dropped. */
    private Map<String, Mark> earlier(long limit) {
        var remaining = new HashMap<>(marks);
        remaining.values().removeIf(mark -> mark.next() > limit);
        return remaining;
    }
}
