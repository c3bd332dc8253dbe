package dev.parley.domain.memory;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Banks that are made of what a bank knew.
 *
 * @param names of its branches, also of those that were forgotten
 * @param copying those that are not whole yet, in the order in which they are made
 * @param arriving whether this is a branch that is not whole yet
 */
public record Branches(List<String> names, List<Copying> copying, boolean arriving) {
    static final Branches NONE = new Branches(List.of(), List.of(), false);

    public Branches {
        names = List.copyOf(names);
        copying = List.copyOf(copying);
    }

    Branches begun(Copying value) {
        return new Branches(
                Stream.concat(names.stream(), Stream.of(value.name())).toList(),
                Stream.concat(copying.stream(), Stream.of(value)).toList(),
                arriving);
    }

    /** With this in place of the first, or without that. */
    Branches went(@Nullable Copying first) {
        return new Branches(
                names,
                Stream.concat(Stream.ofNullable(first), copying.stream().skip(1))
                        .toList(),
                arriving);
    }

    Branches arriving(boolean value) {
        return new Branches(names, copying, value);
    }

    /** All that was to be copied is forgotten, and what was to come is not wanted any more. */
    Branches forgotten() {
        return new Branches(names, List.of(), false);
    }

    /**
     * A branch that is not whole yet.
     *
     * @param next number of the first event that was not given to it yet
     * @param upTo number of the last one that it may get
     * @param at it gets none of later than this; or null
     */
    public record Copying(
            String name, long next, long upTo, @Nullable Instant at) {
        boolean takes(MemoryEvent event) {
            return event.meta().seq() <= upTo
                    && (at == null || !event.meta().at().isAfter(at));
        }
    }
}
