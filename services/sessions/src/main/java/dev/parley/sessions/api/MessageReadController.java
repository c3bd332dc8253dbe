package dev.parley.sessions.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.sessions.api.Messages.Filter;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists and shows messages with their parts. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "History")
class MessageReadController {
    private static final Set<String> ROLES = Set.of("user", "assistant", "system", "tool");

    private final Views views;
    private final Sessions sessions;
    private final Messages messages;

    MessageReadController(Views views, Sessions sessions, Messages messages) {
        this.views = views;
        this.sessions = sessions;
        this.messages = messages;
    }

    /**
     * List a session's messages. In chronological order, or reversed with order=desc. Messages of reverted turns are
     * omitted, and so are instructions of agents, which role=system shows to project leads. A page ends at its limit,
     * or at 4 MiB.
     *
     * @param turn Only messages of this turn.
     * @param reverted true: includes reverted messages.
     * @param fresh true: waits until the tables show all earlier events, at most two seconds.
     * @return A page of messages.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/messages", "/v1/projects/{project}/sessions/{key}/messages"})
    Page<MessageJson> list(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @QueryValue String role,
            @Nullable @QueryValue UUID turn,
            @Nullable @QueryValue String order,
            @Nullable @QueryValue Boolean reverted,
            @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        requireRole(role);
        views.freshen(fresh);
        SessionJson session = sessions.find(caller, project, key);
        boolean descending = isDescending(order);
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        boolean system = "system".equals(role) && caller.leads(project);
        var filter = new Filter(caller.host(), session.id(), system, Boolean.TRUE.equals(reverted), role, turn);
        return views.list(caller.tenant(project), () -> messages.page(filter, descending, after, max));
    }

    /**
     * Get a message. The message with its parts in order.
     *
     * @return The message.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/messages/{id}", "/v1/projects/{project}/sessions/{key}/messages/{id}"})
    MessageJson show(
            @Nullable @PathVariable String project, @PathVariable String key, @PathVariable UUID id, Caller caller) {
        SessionJson session = sessions.find(caller, project, key);
        boolean system = caller.leads(project);
        return views.eventually(() -> views.read(
                        caller.tenant(project), () -> messages.find(caller.host(), session.id(), system, id)))
                .orElseThrow(() -> ApiException.notFound("unknown_message", "There is no message " + id));
    }

    private static void requireRole(@Nullable String role) {
        if (role != null && !ROLES.contains(role)) {
            throw ApiException.badRequest("invalid_role", "role is user, assistant, system or tool");
        }
    }

    static boolean isDescending(@Nullable String order) {
        if (order == null || order.equals("asc")) {
            return false;
        }
        if (order.equals("desc")) {
            return true;
        }
        throw ApiException.badRequest("invalid_order", "order is asc or desc");
    }
}
