package dev.parley.channels.protocols;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.http.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A call of an agent.
 *
 * @param agent name of the agent
 * @param trace the caller's span, or null
 */
public record AgentCall(
        Caller caller,
        Project project,
        String agent,
        @Nullable String trace) {

    /** The key of a session in the project of the call. */
    public RecordKey key(String session) {
        return caller.session(project.projectKey(), session);
    }
}
