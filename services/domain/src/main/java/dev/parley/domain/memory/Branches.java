package dev.parley.domain.memory;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The branches of a bank.
 *
 * @param names of all its branches, including forgotten ones
 * @param copying incomplete branches, in order of creation
 * @param arriving whether this bank is itself an incomplete branch
 */
public record Branches(List<String> names, List<Copying> copying, boolean arriving) {
    static final Branches NONE = new Branches(List.of(), List.of(), false);

    public Branches {
        names = List.copyOf(names);
        copying = List.copyOf(copying);
    }

    public Branches begin(Copying value) {
        return new Branches(
                Stream.concat(names.stream(), Stream.of(value.name())).toList(),
                Stream.concat(copying.stream(), Stream.of(value)).toList(),
                arriving);
    }

    /** With this progress of the first copy, or without it. */
    public Branches advance(@Nullable Copying first) {
        return new Branches(
                names,
                Stream.concat(Stream.ofNullable(first), copying.stream().skip(1))
                        .toList(),
                arriving);
    }

    public Branches arriving(boolean value) {
        return new Branches(names, copying, value);
    }

    /** All copies are dropped, and pending events of this branch are no longer accepted. */
    public Branches forget() {
        return new Branches(names, List.of(), false);
    }

    /**
     * An incomplete branch.
     *
     * @param next number of the first event not copied yet
     * @param upTo number of the last event to copy
     * @param at latest time of events to copy, or null
     */
    public record Copying(
            String name, long next, long upTo, @Nullable Instant at) {
        /** Whether an event is copied. */
        public boolean includes(MemoryEvent event) {
            return event.meta().seq() <= upTo
                    && (at == null || !event.meta().at().isAfter(at));
        }
    }
}
