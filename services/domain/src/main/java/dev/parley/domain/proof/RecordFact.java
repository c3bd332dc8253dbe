package dev.parley.domain.proof;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The part of a record that verification needs. Flat and without content, so that millions can be written to files and
 * read back.
 *
 * @param session the record key as text
 * @param seq number of an event, attempt of a call, or 0
 * @param id of the command, turn, call, approval or reply
 * @param turn it belongs to, or null
 * @param call that an approval or its decision belongs to, or null
 * @param word by kind: type of a command, state of a turn, status of a call, outcome, kind of a reply
 * @param more channel of a command, name of a tool, bot of a reply, or empty
 * @param who user of the session or command, or null
 * @param flag whether a turn is to be delivered, or a command is limited to the user's own sessions
 * @param until deadline of a turn, an approval, or a call that waits for its caller, or null
 */
@RecordBuilder
public record RecordFact(
        FactKind kind,
        String session,
        Place place,
        long seq,
        @Nullable UUID id,
        @Nullable UUID turn,
        @Nullable UUID call,
        String word,
        String more,
        @Nullable String who,
        boolean flag,
        @Nullable Instant until)
        implements RecordFactBuilder.With {

    static RecordFactBuilder of(FactKind kind, String session, Place place) {
        return RecordFactBuilder.builder()
                .kind(kind)
                .session(session)
                .place(place)
                .word("")
                .more("");
    }

    /**
     * A record that does not belong to its topic.
     *
     * @param reason a description
     */
    public static RecordFact foreign(String session, Place place, String reason) {
        return of(FactKind.FOREIGN, session, place).word(reason).build();
    }

    /**
     * A dead letter.
     *
     * @param topic original topic; {@code partition} and {@code offset} are the original ones, too
     */
    public static RecordFact deadLetter(String session, Place place, String topic, String partition, String offset) {
        return of(FactKind.DEAD_LETTER, session, place)
                .word(topic)
                .more(partition + ":" + offset)
                .build();
    }

    /** A tombstone of an event on a compacted topic. */
    public static RecordFact tombstone(String session, Place place, long seq) {
        return of(FactKind.TOMBSTONE, session, place).seq(seq).build();
    }
}
