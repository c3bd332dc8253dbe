package dev.parley.channels.openai;

import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.domain.protocol.CallerCall;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a call of a client's function. It contains the turn and call, so its result can be routed on any instance,
 * also after a restart; the session checks the caller.
 *
 * @param step number of the model call that made it
 * @param session key of the session, without its project
 */
record ClientCallId(UUID call, UUID turn, int step, String session) {
    private static final Pattern FORM = Pattern.compile(
            "call_([0-9a-f]{32})_([0-9a-f]{32})_([0-9]{1,6})_(%s)".formatted(ExternalTurnId.SESSION_FORM));

    static ClientCallId of(CallerCall call, String session) {
        return new ClientCallId(call.callId(), call.turnId(), call.step(), session);
    }

    /** Parses an id; empty where it is malformed. */
    static Optional<ClientCallId> parse(String id) {
        Matcher matcher = FORM.matcher(id);
        return matcher.matches()
                ? ExternalTurnId.session(matcher.group(4))
                        .map(session -> new ClientCallId(
                                ExternalTurnId.uuid(matcher.group(1)),
                                ExternalTurnId.uuid(matcher.group(2)),
                                Integer.parseInt(matcher.group(3)),
                                session))
                : Optional.empty();
    }

    String text() {
        return "call_%s_%s_%d_%s"
                .formatted(ExternalTurnId.hex(call), ExternalTurnId.hex(turn), step, ExternalTurnId.ofSession(session));
    }

    /** The short id for model transcripts, because providers limit the length. */
    static String shortId(String id) {
        return parse(id).map(name -> "call_" + ExternalTurnId.hex(name.call())).orElse(id);
    }

    /** Whether both are calls of one step. */
    boolean isWith(ClientCallId other) {
        return turn.equals(other.turn) && step == other.step && session.equals(other.session);
    }
}
