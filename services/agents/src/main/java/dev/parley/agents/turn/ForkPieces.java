package dev.parley.agents.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.TurnCommand.SeedContext;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Splits the context of a fork into commands of limited size. */
final class ForkPieces {
    /** Maximum weight of a piece of more than one entry. */
    private static final int MAX_WEIGHT = 1 << 20;

    private ForkPieces() {}

    /**
     * The pieces with these entries; one empty piece if there are none.
     *
     * @param first the first piece, without entries
     */
    static List<SeedContext> of(SeedContext first, List<Entry> entries) {
        List<List<Entry>> parts = split(entries);
        var pieces = new ArrayList<SeedContext>();
        for (int i = 0; i < parts.size(); i++) {
            pieces.add(new SeedContext(
                    i == 0 ? first.meta() : first.meta().silent(id(first.forkId(), i)),
                    first.forkId(),
                    first.source(),
                    first.sourceSessionId(),
                    first.forkedFrom(),
                    i,
                    parts.size(),
                    first.agent(),
                    first.title(),
                    first.summary(),
                    parts.get(i)));
        }
        return pieces;
    }

    /** The record id of a piece. */
    static UUID id(UUID fork, int piece) {
        return Ids.of("seed", fork, piece);
    }

    private static List<List<Entry>> split(List<Entry> entries) {
        var parts = new ArrayList<List<Entry>>();
        var part = new ArrayList<Entry>();
        int weight = 0;
        for (Entry entry : entries) {
            if (weight > 0 && weight + entry.message().weight() > MAX_WEIGHT) {
                parts.add(List.copyOf(part));
                part.clear();
                weight = 0;
            }
            part.add(entry.forOtherSession());
            weight += entry.message().weight();
        }
        parts.add(List.copyOf(part));
        return parts;
    }
}
