package dev.parley.channels.protocols;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call of an agent.
 *
 * @param agent name of the agent
 * @param trace the caller's span, or null
 */
public record AgentInvocation(
        Caller caller,
        Project project,
        String agent,
        @Nullable String trace) {

    /**
     * The project of a request: the named one, that of the key, or the default one.
     *
     * @throws dev.parley.platform.http.ApiException 403, 404, 409
     */
    public static Project project(Caller caller, @Nullable String projectKey, Capability capability) {
        UUID ofKey = caller.key().project();
        return caller.require(
                capability, projectKey == null && ofKey != null ? RecordKey.projectKey(ofKey) : projectKey);
    }

    /** The key of a session in the project of the call. */
    public RecordKey key(String session) {
        return caller.session(project.projectKey(), session);
    }
}
