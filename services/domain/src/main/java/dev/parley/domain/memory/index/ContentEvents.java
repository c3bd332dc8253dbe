package dev.parley.domain.memory.index;

import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The events that contain a document, a unit or a reflection.
 *
 * @param numbers of all of them; the last one has the current text
 * @param vectors numbers of the events with further vectors of the current text, by generation
 */
record ContentEvents(List<Long> numbers, Map<String, Long> vectors) {
    static final ContentEvents NONE = new ContentEvents(List.of(), Map.of());

    ContentEvents {
        numbers = List.copyOf(numbers);
        vectors = Map.copyOf(vectors);
    }

    /** The number of the event with the current text. */
    long current() {
        return numbers.getLast();
    }

    /** With an event that contains a new text. */
    ContentEvents withText(long seq) {
        return new ContentEvents(Stream.concat(numbers.stream(), Stream.of(seq)).toList(), Map.of());
    }

    /** With another event, before the one with the current text. */
    ContentEvents with(long seq) {
        return new ContentEvents(Stream.concat(Stream.of(seq), numbers.stream()).toList(), vectors);
    }

    /** With a further vector; one of an earlier text is kept only to be erased with it. */
    ContentEvents with(UnitEmbedded event) {
        ContentEvents updated = with(event.meta().seq());
        if (event.learned() != current()) {
            return updated;
        }
        var embedded = new HashMap<>(vectors);
        embedded.put(event.generation(), event.meta().seq());
        return new ContentEvents(updated.numbers, embedded);
    }
}
