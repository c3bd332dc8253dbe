package dev.parley.sessions.history;

/** Messages of reverted turns. */
public final class RevertedMessages {
    private static final String BEGIN = """
            AND NOT EXISTS (
              SELECT 1 FROM sessions.session_event_t e
              JOIN sessions.agent_turn_t r ON r.host_id = e.host_id AND r.turn_id = m.turn_id
              JOIN sessions.agent_turn_t f ON f.host_id = e.host_id AND f.session_id = e.session_id AND f.turn_seq = e.turn_seq
              WHERE\s""";
    private static final String CONDITION = """
            CASE WHEN r.start_position IS NULL THEN r.turn_seq >= f.turn_seq ELSE r.start_position >= f.start_position END
                AND e.host_id = m.host_id AND e.session_id = m.session_id AND e.kind = 'revert' AND e.seq > m.position
                AND NOT EXISTS (
                  SELECT 1 FROM sessions.session_event_t u
                  WHERE u.host_id = e.host_id AND u.session_id = e.session_id AND u.kind = 'unrevert'
                    AND u.since <= e.seq AND u.seq > e.seq))
            """;

    /** SQL condition on the message {@code m} that excludes messages of reverted turns. */
    public static final String LEFT_OUT = BEGIN + CONDITION;

    /** Like {@link #LEFT_OUT}, unless the parameter {@code reverted} is true; it is still planned as a join. */
    public static final String LEFT_OUT_UNLESS_REQUESTED = BEGIN + "NOT :reverted AND " + CONDITION;

    private RevertedMessages() {}
}
