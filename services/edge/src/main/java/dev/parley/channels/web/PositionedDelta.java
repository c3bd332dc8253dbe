package dev.parley.channels.web;

import dev.parley.channels.deltas.DeltaListener;
import dev.parley.domain.protocol.TurnDelta;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A delta with its position on the topic.
 *
 * @param position by which a client resumes
 */
record PositionedDelta(Position position, TurnDelta delta) {

    /** The id of an event: {@code partition.offset}. */
    record Position(int partition, long offset) {
        private static final Pattern FORM = Pattern.compile("(\\d{1,6})\\.(\\d{1,18})");

        /** Parses an event id; empty where it is malformed. */
        static Optional<Position> parse(String id) {
            var matcher = FORM.matcher(id);
            return matcher.matches()
                    ? Optional.of(new Position(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2))))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return partition + "." + offset;
        }
    }

    /** Whether the delta is the last one of its turn. */
    boolean endsTurn() {
        return DeltaListener.isLast(delta);
    }
}
