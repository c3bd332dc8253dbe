package dev.parley.domain.proof;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a proof needs of a record. It is flat and holds nothing that people said, so that millions of them can be written to
 * files and read again.
 *
 * @param session the record key as text
 * @param seq the number of an event, the attempt of a call, or 0
 * @param id of the command, the turn, the call, the question or the reply
 * @param turn to which it belongs, or null
 * @param call that a question or an answer is about, or null
 * @param word what it is, by kind: the type of a command, the state of a turn, the status of a call, the outcome, the kind of a reply
 * @param more the channel of a command, the name of a tool, the bot of a reply, or empty
 * @param who whose session it is or who gave the command, or null
 * @param flag whether a turn is to be delivered, or a command is limited to the giver's own sessions
 * @param until deadline of a turn, end of a question or of a call that waits for its caller, or null
 */
@RecordBuilder
public record Fact(
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
        implements FactBuilder.With {

    static FactBuilder of(FactKind kind, String session, Place place) {
        return FactBuilder.builder()
                .kind(kind)
                .session(session)
                .place(place)
                .word("")
                .more("");
    }

    /** A record that is none of its topic's. @param why in words */
    public static Fact foreign(String session, Place place, String why) {
        return of(FactKind.FOREIGN, session, place).word(why).build();
    }

    /** A record that was put aside. @param topic on which it stood, at {@code partition} and {@code offset} */
    public static Fact deadLetter(String session, Place place, String topic, String partition, String offset) {
        return of(FactKind.DEAD_LETTER, session, place)
                .word(topic)
                .more(partition + ":" + offset)
                .build();
    }

    /** The end of what a compacted topic says about an event. */
    public static Fact tombstone(String session, Place place, long seq) {
        return of(FactKind.TOMBSTONE, session, place).seq(seq).build();
    }
}
