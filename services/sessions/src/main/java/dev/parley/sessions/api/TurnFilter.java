package dev.parley.sessions.api;

import dev.parley.platform.database.Select;
import dev.parley.platform.database.Sql;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The filters of a list of turns; null for no restriction.
 *
 * @param states names of states; empty for all
 * @param session key of the session, in all epochs
 * @param owner user id of the session's owner
 * @param since earliest time of acceptance, or of the end for turns that have ended
 */
record TurnFilter(
        List<String> states,
        @Nullable String agent,
        @Nullable String session,
        @Nullable String owner,
        @Nullable Instant since) {

    /** The condition on turns {@code t} and their sessions {@code s}. */
    Select condition(UUID host, UUID project) {
        var condition = new Select("WHERE t.host_id = ? AND t.project_id = ? AND s.status <> 'deleted'", host, project)
                .withIf(owner, "AND s.user_id = ?")
                .withIf(agent, "AND t.agent = ?")
                .withIf(session, "AND s.session_key = ?")
                .withIf(since, "AND COALESCE(t.completed_ts, t.created_ts) >= ?");
        if (states.equals(TurnStates.OPEN)) {
            return condition.with("AND t.completed_ts IS NULL");
        }
        return states.isEmpty() ? condition : condition.with("AND t.state = ANY (?::text[])", Sql.texts(states));
    }
}
