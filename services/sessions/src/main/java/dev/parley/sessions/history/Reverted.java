package dev.parley.sessions.history;

/** Messages of reverted turns. */
public final class Reverted {
    /** SQL condition on the message {@code m} that excludes messages of reverted turns. */
    public static final String LEFT_OUT = """
            AND NOT EXISTS (
              SELECT 1 FROM sessions.session_event_t e
              JOIN sessions.agent_turn_t r ON r.host_id = e.host_id AND r.turn_id = m.turn_id
              JOIN sessions.agent_turn_t f ON f.host_id = e.host_id AND f.session_id = e.session_id AND f.turn_seq = e.turn_seq
              WHERE CASE WHEN r.start_position IS NULL THEN r.turn_seq >= f.turn_seq ELSE r.start_position >= f.start_position END
                AND e.host_id = m.host_id AND e.session_id = m.session_id AND e.kind = 'revert' AND e.seq > m.position
                AND NOT EXISTS (
                  SELECT 1 FROM sessions.session_event_t u
                  WHERE u.host_id = e.host_id AND u.session_id = e.session_id AND u.kind = 'unrevert'
                    AND u.since <= e.seq AND u.seq > e.seq))
            """;

    private Reverted() {}
}
