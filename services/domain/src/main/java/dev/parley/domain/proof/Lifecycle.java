package dev.parley.domain.proof;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The observed starts and ends of one turn, call, approval or command, and whether there were duplicates. */
final class Lifecycle {
    @Nullable
    Place begun;

    @Nullable
    Place begunAgain;

    @Nullable
    Place started;

    @Nullable
    Place ended;

    @Nullable
    Place endedAgain;

    /** The kind of its end. */
    String end = "";

    /** The type of a command, or the origin of a turn. */
    String word = "";

    /** The channel of a command. */
    String more = "";

    @Nullable
    String who;

    boolean flag;
    boolean denied;
    boolean settled;

    @Nullable
    UUID turn;

    @Nullable
    UUID call;

    @Nullable
    Instant until;

    void begins(RecordFact fact) {
        if (begun == null) {
            begun = fact.place();
            word = fact.word();
            more = fact.more();
            who = fact.who();
            flag = fact.flag();
            turn = fact.turn();
            call = fact.call();
            until = until == null ? fact.until() : until;
        } else {
            begunAgain = fact.place();
        }
    }

    void ends(RecordFact fact) {
        if (ended == null) {
            ended = fact.place();
            end = fact.word();
        } else {
            endedAgain = fact.place();
        }
    }

    boolean isOpen() {
        return ended == null;
    }
}
