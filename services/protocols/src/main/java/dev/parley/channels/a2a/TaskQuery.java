package dev.parley.channels.a2a;

import dev.parley.channels.a2a.A2aVersion.State;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.platform.api.ApiRequest;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A query for tasks of an agent.
 *
 * @param context the session, or null for all
 * @param state the state, or null for any
 * @param since time of the oldest state change, or null
 * @param page the page token, or null for the first page
 * @param history whether messages are included
 * @param artifacts whether replies are included
 */
record TaskQuery(
        @Nullable String context,
        @Nullable State state,
        @Nullable Instant since,
        int pageSize,
        @Nullable String page,
        boolean history,
        boolean artifacts) {
    private static final int USUAL = 50;
    private static final int MOST = 100;

    /**
     * Parses a query.
     *
     * @throws A2aException where it is invalid
     * @throws dev.parley.channels.protocols.ProtocolException where it is invalid
     */
    static TaskQuery read(A2aVersion dialect, RequestFields params) {
        Integer size = params.integer("pageSize", 1);
        if (size != null && size > MOST) {
            throw params.invalid("pageSize", "an integer from 1 to " + MOST);
        }
        return new TaskQuery(
                MessageRequest.nonEmpty(params.text("contextId")),
                state(dialect, params),
                since(params),
                size == null ? USUAL : size,
                MessageRequest.nonEmpty(params.text("pageToken")),
                MessageRequest.history(params),
                params.flag("includeArtifacts"));
    }

    private static @Nullable State state(A2aVersion dialect, RequestFields params) {
        String name = MessageRequest.nonEmpty(params.text("status"));
        return name == null || name.equals("TASK_STATE_UNSPECIFIED")
                ? null
                : Arrays.stream(State.values())
                        .filter(state -> dialect.state(state).equals(name))
                        .findFirst()
                        .orElseThrow(() -> params.invalid("status", "a state such as " + dialect.state(State.WORKING)));
    }

    private static @Nullable Instant since(RequestFields params) {
        String time = MessageRequest.nonEmpty(params.text("statusTimestampAfter"));
        try {
            return time == null ? null : OffsetDateTime.parse(time).toInstant();
        } catch (DateTimeParseException e) {
            throw params.invalid("statusTimestampAfter", "a time such as 2026-01-31T09:30:00Z");
        }
    }

    /** The API request for the turns of these tasks. The first page is read-your-writes. */
    ApiRequest turns(String project, String agent) {
        return ApiRequest.get("/v1/projects/{}/turns", project)
                .with("agent", agent)
                .with("mine", true)
                .with("total", true)
                .with("fresh", page == null)
                .with("session", context)
                .with("state", state == null ? null : TaskView.states(state))
                .with("since", since)
                .with("limit", pageSize)
                .with("cursor", page);
    }
}
